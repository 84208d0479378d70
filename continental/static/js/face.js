/** Draws a playing card as templatetags/table.py does: the index at the corner that a fan leaves free, its own suit large below. */

import { JOKER } from "./cards.js";

const SPACE = "http://www.w3.org/2000/svg";

function part(name, attributes, text) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const index = (card) => (card === JOKER ? "★" : card[0] === "T" ? "10" : card[0]);

/** Draw `{card, spoken}`; `suits` is the address of the picture of the suits. It has no name: what holds it does. */
export function drawFace({ card, spoken }, suits) {
  const suit = card === JOKER ? JOKER : card[1];
  const shown = spoken ?? card;
  const face = part("svg", { class: `face face--${suit}`, viewBox: "0 0 50 70", "aria-hidden": "true" });
  const label = index(shown);
  const squeeze = label === "10" ? { textLength: "18", lengthAdjust: "spacingAndGlyphs" } : {};
  face.append(
    part("rect", { x: ".5", y: ".5", width: "49", height: "69", rx: "5" }),
    part("text", { x: "11", y: "21", "font-size": "21", "text-anchor": "middle", ...squeeze }, label),
    part("use", { href: `${suits}#${shown !== JOKER && shown.length > 1 ? shown[1] : suit}`, x: "3.5", y: "25", width: "15", height: "15" }),
    part("use", { href: `${suits}#${suit}`, x: "19", y: "37", width: "27", height: "27" }),
  );
  if (spoken && card !== JOKER) face.append(part("text", { x: "38", y: "34", "font-size": "14", "text-anchor": "middle" }, index(card)));
  return face;
}
