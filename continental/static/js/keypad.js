/**
 * The card keypad: counts what is left in a hand by taps, and writes it into the plain inputs of its form.
 *
 * A group is a `[data-count]` fieldset of components/_keypad.html; the keys and the points of each card come once a page from
 * components/_keypad_page.html. Nothing here is kept outside the inputs, so a half-filled hand outlives whatever redraws it.
 */

import { JOKER, SIGNS, SUITS, formatCards, hangsOnSuit, parseCards, printed, sortCards, sumOf, valueOf } from "./cards.js";
import { fill } from "./order.js";
import { readSum } from "./sums.js";

const field = (group, part) => group.querySelector(`[data-field="${part}"]`);
const kindOf = (group) => group.querySelector('[data-field="kind"]:checked')?.value ?? null;
const wordsOf = () => document.getElementById("keypad-keys").dataset;
/** Points charged for the cards that the hand is short, as the server will add them. */
const chargeOf = (group) => Math.max(0, Number.parseInt(field(group, "missing").value, 10) || 0) * Number(wordsOf().missingCard);
const valuesOf = () => JSON.parse(document.getElementById("card-points")?.textContent ?? "{}");

function nameOf(card) {
  const words = wordsOf();
  if (card === JOKER) return words.joker;
  const rank = words[`rank${card[0]}`] ?? printed(card[0]);
  return card.length > 1 ? fill(words.of, { rank, suit: words[`suit${card[1]}`] }) : rank;
}

function setUp(group) {
  if (group.dataset.ready) return;
  group.dataset.ready = "yes";
  const keys = document.getElementById("keypad-keys").content.cloneNode(true);
  const values = valuesOf();
  for (const key of keys.querySelectorAll("[data-key]")) {
    const splits = hangsOnSuit(key.dataset.key, values);
    const value = valueOf(key.dataset.key, values);
    key.querySelector("small").textContent = splits ? "♠♥…" : (value ?? "?");
    if (splits) key.setAttribute("aria-expanded", "false");
  }
  group.querySelector("[data-keys]").append(keys);
  for (const enhanced of group.querySelectorAll("[data-enhanced]")) enhanced.hidden = false;
  field(group, "cards").closest("[data-plain]").hidden = true;
  const points = field(group, "points");
  // A text keyboard is in the way of numbers; `numeric` has no plus on iOS and no minus on Samsung. `tel` has digits
  // and a plus everywhere, and the buttons beside the field type the signs where it has none.
  points.inputMode = "tel";
  if (field(group, "cards").value.trim() === "" && points.value.trim() === "" && kindOf(group) === null) choose(group, "cards");
  redraw(group);
}

function choose(group, kind) {
  const radio = group.querySelector(`[data-field="kind"][value="${kind}"]`);
  if (radio) radio.checked = true;
}

function cardsOf(group) {
  return parseCards(field(group, "cards").value);
}

function write(group, cards) {
  field(group, "cards").value = formatCards(cards);
  choose(group, "cards");
  redraw(group);
  group.dispatchEvent(new CustomEvent("count:change", { bubbles: true }));
}

function redraw(group) {
  const kind = kindOf(group);
  for (const panel of group.querySelectorAll("[data-panel]")) panel.hidden = !panel.dataset.panel.split(" ").includes(kind);
  drawChips(group);
  drawCardSum(group);
  drawTypedSum(group);
}

function drawChips(group) {
  const list = group.querySelector("[data-chips]");
  const { cards } = cardsOf(group);
  const chips = cards.map((card, place) => {
    const item = document.createElement("li");
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "chip";
    chip.dataset.chip = String(place);
    chip.dataset.suit = card === JOKER ? JOKER : (card[1] ?? "");
    chip.textContent = printed(card);
    chip.setAttribute("aria-label", fill(wordsOf().remove, { card: nameOf(card) }));
    item.append(chip);
    return item;
  });
  if (chips.length === 0) {
    const none = document.createElement("li");
    none.className = "chips__none";
    none.textContent = wordsOf().none;
    chips.push(none);
  }
  list.replaceChildren(...chips);
}

function drawCardSum(group) {
  const output = group.querySelector("[data-card-sum]");
  const { cards, unread } = cardsOf(group);
  const sum = sumOf(cards, valuesOf());
  say(output, sum === null ? "?" : String(sum + chargeOf(group)));
  say(group.querySelector("[data-card-number]"), fill(cards.length === 1 ? wordsOf().card : wordsOf().cards, { number: cards.length }));
  show(group.querySelector("[data-cards-fault]"), unread.length ? fill(wordsOf().unread, { word: unread[0] }) : "");
}

function drawTypedSum(group) {
  const input = field(group, "points");
  const { points, parts, fault } = readSum(input.value);
  say(group.querySelector("[data-typed-sum]"), points === null ? "–" : String(points + chargeOf(group)));
  say(group.querySelector("[data-typed-parts]"), parts.length > 1 ? fill(wordsOf().parts, { number: parts.length }) : "");
  const typing = fault === "unfinished" && document.activeElement === input;
  const sentence = fault && !typing ? wordsOf()[{ unreadable: "unreadable", unfinished: "unfinished", fraction: "fraction", "too-big": "toobig" }[fault]] : "";
  show(group.querySelector("[data-points-fault]"), sentence);
  input.toggleAttribute("aria-invalid", Boolean(sentence));
  if (sentence) input.setAttribute("aria-invalid", "true");
}

/** Set a text only where it differs: a live region would read the same sum again. */
function say(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

function show(place, text) {
  say(place, text);
  place.hidden = text === "";
}

function openSuits(group, key) {
  const row = group.querySelector("[data-suits]");
  const again = key.getAttribute("aria-expanded") === "true";
  closeSuits(group);
  if (again) return;
  key.setAttribute("aria-expanded", "true");
  const rank = key.dataset.key;
  const values = valuesOf();
  row.replaceChildren(
    ...SUITS.map((suit) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = suit === "H" || suit === "D" ? "key key--red" : "key";
      button.dataset.face = rank + suit;
      button.setAttribute("aria-label", nameOf(rank + suit));
      const points = document.createElement("small");
      points.textContent = String(values[rank + suit] ?? "?");
      button.append(printed(rank).concat(SIGNS[suit]), points);
      return button;
    }),
  );
  row.hidden = false;
  row.firstElementChild.focus();
}

function closeSuits(group) {
  const row = group.querySelector("[data-suits]");
  row.hidden = true;
  for (const key of group.querySelectorAll('[data-key][aria-expanded="true"]')) key.setAttribute("aria-expanded", "false");
}

function tap(group, target) {
  const key = target.closest("[data-key], [data-face], [data-chip], [data-back], [data-clear], [data-type]");
  if (!key) return;
  const { cards } = cardsOf(group);
  const { key: rank, face, chip, type } = key.dataset;
  if (rank !== undefined && hangsOnSuit(rank, valuesOf())) {
    openSuits(group, key);
  } else if (rank !== undefined || face !== undefined) {
    const opener = face === undefined ? null : group.querySelector(`[data-key="${face[0]}"]`);
    closeSuits(group);
    write(group, sortCards([...cards, rank ?? face]));
    group.dataset.last = rank ?? face;
    opener?.focus();
  } else if (chip !== undefined) {
    write(group, cards.filter((_card, place) => place !== Number(chip)));
    (group.querySelectorAll("[data-chip]")[Math.max(0, Number(chip) - 1)] ?? group.querySelector("[data-key]")).focus();
  } else if (key.hasAttribute("data-back")) {
    const last = cards.lastIndexOf(group.dataset.last);
    write(group, cards.filter((_card, place) => place !== (last === -1 ? cards.length - 1 : last)));
    delete group.dataset.last;
  } else if (key.hasAttribute("data-clear")) {
    write(group, []);
    group.querySelector("[data-key]").focus();
  } else if (type !== undefined) {
    const input = field(group, "points");
    input.setRangeText(type, input.selectionStart, input.selectionEnd, "end");
    input.focus();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

const RANK_KEYS = { 1: "T", 0: "T", t: "T", "*": JOKER, a: "A", j: "J", q: "Q", k: "K" };

/** Typing on the keys themselves: ranks add a card (`0` or `T` is the ten), Backspace takes the last back. */
function press(group, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("[data-keys], [data-suits]")) return;
  const letter = event.key.toLowerCase();
  const rank = /^[2-9]$/.test(letter) ? letter : RANK_KEYS[letter];
  const key = event.key === "Backspace" ? group.querySelector("[data-back]") : rank && group.querySelector(`[data-key="${rank}"]`);
  if (event.key === "Escape") closeSuits(group);
  if (!key) return;
  event.preventDefault();
  tap(group, key);
}

const groupOf = (event) => event.target.closest?.("[data-count]");

document.addEventListener("click", (event) => {
  const group = groupOf(event);
  if (group) tap(group, event.target);
});
document.addEventListener("keydown", (event) => {
  const group = groupOf(event);
  if (group) press(group, event);
});
for (const kind of ["input", "change", "focusout"]) {
  document.addEventListener(kind, (event) => {
    const group = groupOf(event);
    if (group?.dataset.ready && event.target.dataset?.field) redraw(group);
  });
}

/** What the choice does not count is not sent; it stays in the fields, so that a slip of the choice loses nothing. */
const COUNTED = { cards: ["cards", "missing"], points: ["points", "missing"] };
document.addEventListener("formdata", (event) => {
  for (const group of event.target.querySelectorAll("[data-count]")) {
    const counted = COUNTED[kindOf(group)] ?? [];
    for (const part of ["cards", "points", "missing"]) {
      if (!counted.includes(part)) event.formData.set(field(group, part).name, "");
    }
  }
});

const setUpAll = (root) => root.querySelectorAll("[data-count]").forEach(setUp);
setUpAll(document);
document.addEventListener("htmx:load", (event) => setUpAll(event.target.parentElement ?? document));
