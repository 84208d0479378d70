/**
 * The pad of the check pages: taps write cards into the plain inputs of the rows, and each change asks for the verdict anew.
 *
 * Nothing is kept outside the inputs but which row and which card is being worked on. The verdict comes as a fragment; what it
 * marks on the cards it brings along as data.
 */

import { JOKER, SIGNS, printed } from "./cards.js";
import { drawFace } from "./face.js";
import { insert, isWild, keyOf, move, readLaid, tapped, writeLaid } from "./laid.js";
import { fill } from "./order.js";

const NOTHING = { rank: null, suit: null };

let pending = NOTHING;
let chosen = null;
let says = false;
let current = "m0";

const formOf = () => document.querySelector("form[data-check]");
const padOf = () => document.querySelector("[data-pad]");
const rowsOf = () => [...document.querySelectorAll("form[data-check] [data-row]")];
const rowOf = (key) => rowsOf().find((row) => row.dataset.row === key) ?? null;
const inputOf = (row) => row.querySelector("[data-input]");
const cardsOf = (row) => readLaid(inputOf(row).value).cards;
const wildOf = () => padOf().dataset.wild.split(" ");
const marksOf = () => JSON.parse(document.querySelector("[data-verdict]")?.dataset.marks || "{}");

function rankName(rank) {
  return padOf().dataset[`rank${rank}`] ?? printed(rank);
}

function cardName(card) {
  const words = padOf().dataset;
  if (card === JOKER) return words.joker;
  return card.length > 1 ? fill(words.of, { rank: rankName(card[0]), suit: words[`suit${card[1]}`] }) : rankName(card[0]);
}

function laidName({ card, spoken }) {
  return spoken ? fill(padOf().dataset.as, { card: cardName(card), value: cardName(spoken) }) : cardName(card);
}

// ---- Drawing

function drawRow(row, marks) {
  const mark = marks[row.dataset.row] ?? { row: [], cards: {}, trouble: "" };
  const { cards, unread } = readLaid(inputOf(row).value);
  const active = row.dataset.row === current;
  row.classList.toggle("is-current", active);
  row.classList.toggle("is-faulty", mark.row.length > 0 || Boolean(mark.trouble));
  const list = row.querySelector("[data-cards]");
  list.classList.toggle("fan", !active);
  list.replaceChildren(...cards.map((laid, place) => drawCard(row, laid, place, mark.cards[place] ?? [], active)));
  if (active) list.append(hole());
  row.querySelector("[data-row-marks]").replaceChildren(...mark.row.map(badge));
  const trouble = row.querySelector("[data-row-trouble]");
  trouble.textContent = unread.length > 0 ? fill(padOf().dataset.unread, { word: unread[0] }) : mark.trouble;
  trouble.hidden = trouble.textContent === "";
}

function drawCard(row, laid, place, numbers, active) {
  const item = document.createElement("li");
  item.classList.toggle("is-faulty", numbers.length > 0);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "lay__card";
  button.dataset.place = place;
  const faults = numbers.map((number) => fill(padOf().dataset.fault, { number }));
  button.setAttribute("aria-label", [laidName(laid), ...faults].join(", "));
  button.setAttribute("aria-pressed", String(active && chosen === place));
  button.append(drawFace(laid, padOf().dataset.suits), ...numbers.map(badge));
  item.append(button);
  return item;
}

function badge(number) {
  const mark = document.createElement("span");
  mark.className = "fault-mark";
  mark.textContent = String(number);
  mark.setAttribute("aria-hidden", "true");
  return mark;
}

function hole() {
  const item = document.createElement("li");
  item.className = "lay__hole";
  item.setAttribute("aria-hidden", "true");
  return item;
}

function redraw() {
  if (!padOf()) return;
  const marks = marksOf();
  for (const row of rowsOf()) drawRow(row, marks);
  for (const lying of document.querySelectorAll("[data-lying]")) drawLying(lying);
  for (const after of document.querySelectorAll("[data-after]")) drawAfter(after);
  drawPad();
}

/** What can be done with a meld of the table shows only once it has cards, a second lay-off after a first, and a swap
 * only where a wild card lies.
 */
function drawLying(lying) {
  const cards = cardsOf(lying.querySelector("[data-row]"));
  const acts = lying.querySelector("[data-lying-acts]");
  if (!acts) return;
  acts.hidden = cards.length === 0;
  const more = acts.querySelector("[data-more]");
  const [first, second] = acts.querySelectorAll("[data-row]");
  more.hidden = cardsOf(first).length === 0 && cardsOf(second).length === 0;
  acts.querySelector("[data-swap]").hidden = !cards.some(({ card }) => isWild(card, wildOf()));
}

/** What is laid off on a new meld comes once that meld has cards. */
function drawAfter(after) {
  after.hidden = [after.querySelector("[data-row]"), rowOf(after.dataset.after)].every((row) => cardsOf(row).length === 0);
}

function drawPad() {
  const pad = padOf();
  const words = pad.dataset;
  for (const key of pad.querySelectorAll("[data-rank]")) key.setAttribute("aria-pressed", String(key.dataset.rank === pending.rank));
  for (const key of pad.querySelectorAll("[data-suit]")) key.setAttribute("aria-pressed", String(key.dataset.suit === pending.suit));
  const row = rowOf(current);
  const laid = row && chosen !== null ? cardsOf(row)[chosen] : undefined;
  pad.querySelector("[data-tools]").hidden = laid === undefined;
  const stands = pad.querySelector('[data-tool="stands"]');
  stands.hidden = laid === undefined || !isWild(laid.card, wildOf());
  stands.setAttribute("aria-pressed", String(says));
  const hint = pad.querySelector("[data-pad-hint]");
  if (says) hint.textContent = words.stands;
  else if (pending.rank) hint.textContent = fill(words.whichSuit, { rank: rankName(pending.rank) });
  else if (pending.suit) hint.textContent = fill(words.whichRank, { suit: `${SIGNS[pending.suit]}` });
  else hint.textContent = row?.querySelector(".lay__label").textContent ?? "";
  const word = document.querySelector("[data-verdict] .verdict__word");
  const line = pad.querySelector("[data-pad-verdict]");
  line.textContent = word?.textContent.trim().replace(/\s+/g, " ") ?? "";
  line.className = `pad__verdict ${[...(document.querySelector("[data-verdict]")?.classList ?? [])].find((name) => name.startsWith("verdict--")) ?? ""}`;
}

// ---- Working on a row

function choose(key, place = null) {
  const other = key !== current;
  if (other) pending = NOTHING;
  current = key;
  chosen = place;
  says = false;
  redraw();
  if (other) rowOf(key)?.scrollIntoView({ block: "nearest" });
}

function write(row, cards) {
  inputOf(row).value = writeLaid(cards);
  redraw();
  changed();
}

const changed = () => formOf().dispatchEvent(new CustomEvent("check:change", { bubbles: true }));

function add(card) {
  const row = rowOf(current);
  if (!row) return;
  const cards = cardsOf(row);
  if (says && chosen !== null && cards[chosen]) {
    const spoken = card === JOKER ? null : card;
    says = false;
    pending = NOTHING;
    write(row, cards.map((laid, place) => (place === chosen ? { ...laid, spoken } : laid)));
  } else if ("one" in row.dataset) {
    write(row, [{ card, spoken: null }]);
  } else {
    const after = chosen;
    if (chosen !== null) chosen += 1;
    write(row, insert(cards, [{ card, spoken: null }], after));
  }
}

function half(part) {
  const row = rowOf(current);
  const now = tapped(pending, part, says ? "any" : (row?.dataset.kind ?? "any"));
  pending = now.pending;
  if (now.card) add(now.card);
  drawPad();
}

function back() {
  const row = rowOf(current);
  if (!row) return;
  if (pending.rank && !pending.suit && cardsOf(row).length === 0) pending = NOTHING;
  remove(row, chosen ?? cardsOf(row).length - 1);
}

function remove(row, place) {
  const cards = cardsOf(row);
  if (chosen !== null) chosen = cards.length > 1 ? Math.max(0, place - 1) : null;
  says = false;
  write(row, cards.filter((_laid, other) => other !== place));
}

function useTool(tool) {
  const row = rowOf(current);
  if (!row || chosen === null) return;
  if (tool === "remove") remove(row, chosen);
  else if (tool === "stands") {
    says = !says;
    pending = NOTHING;
    drawPad();
  } else {
    const moved = move(cardsOf(row), chosen, tool === "left" ? -1 : 1);
    chosen = moved.place;
    write(row, moved.cards);
  }
}

function focusCard() {
  rowOf(current)?.querySelector(`[data-place="${chosen}"]`)?.focus();
}

// ---- Events

function tapPad(target) {
  const key = target.closest("[data-rank], [data-suit], [data-joker-key], [data-back], [data-tool]");
  if (!key) return;
  if (key.dataset.rank) half({ rank: key.dataset.rank });
  else if (key.dataset.suit) half({ suit: key.dataset.suit });
  else if (key.hasAttribute("data-joker-key")) add(JOKER);
  else if (key.hasAttribute("data-back")) back();
  else useTool(key.dataset.tool);
}

function toggleTyping(button) {
  const plain = button.closest("[data-row]").querySelector("[data-plain]");
  plain.hidden = !plain.hidden;
  button.setAttribute("aria-expanded", String(!plain.hidden));
  if (!plain.hidden) plain.querySelector("input").focus();
}

async function share(link) {
  if (navigator.share) await navigator.share({ url: link.href });
  else {
    await navigator.clipboard.writeText(link.href);
    link.textContent = padOf().dataset.copied;
  }
}

document.addEventListener("click", (event) => {
  if (!padOf() || !formOf()?.contains(event.target)) return;
  const row = event.target.closest("[data-row]");
  const card = event.target.closest("[data-place]");
  const link = event.target.closest("[data-share]");
  if (event.target.closest("[data-pad]")) tapPad(event.target);
  else if (event.target.closest("[data-type-row]")) toggleTyping(event.target.closest("[data-type-row]"));
  else if (card) {
    const place = Number(card.dataset.place);
    choose(row.dataset.row, row.dataset.row === current && chosen === place ? null : place);
    (row.querySelector(`[data-place="${place}"]`) ?? card).focus();
  } else if (row && !event.target.closest("input")) {
    event.preventDefault();
    choose(row.dataset.row);
  } else if (link && (navigator.share || navigator.clipboard)) {
    event.preventDefault();
    share(link).catch(() => location.assign(link.href));
  }
});

document.addEventListener("input", (event) => {
  const row = event.target.closest?.("[data-row]");
  if (!row || !padOf()) return;
  chosen = null;
  redraw();
  changed();
});

document.addEventListener("change", (event) => {
  if (!formOf()?.contains(event.target)) return;
  if (event.target.hasAttribute("data-change")) changed();
});

document.addEventListener("keydown", (event) => {
  if (!padOf() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!event.target.closest("[data-row], [data-pad]") || event.target.matches("input, select, summary")) return;
  const key = keyOf(event.key);
  if (event.key === "Backspace" || event.key === "Delete") back();
  else if (event.key === "Escape") choose(current);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") step(event.key === "ArrowLeft" ? -1 : 1);
  else if (key?.joker) add(JOKER);
  else if (key) half(key);
  else return;
  event.preventDefault();
  if (event.target.closest("[data-cards]")) focusCard();
});

function step(by) {
  const row = rowOf(current);
  const count = row ? cardsOf(row).length : 0;
  if (count === 0) return;
  choose(current, Math.min(count - 1, Math.max(0, (chosen ?? (by < 0 ? count : -1)) + by)));
}

/** What is kept as evidence is what the pad holds now, not what the page was opened with. */
function carry(event) {
  const keep = event.target.closest?.("[data-evidence] [type=submit]")?.form;
  if (!keep || !formOf()) return;
  const asked = new FormData(formOf());
  keep.elements.spots.value = asked.get("spots") ?? "";
  asked.delete("spots");
  keep.elements.query.value = new URLSearchParams(asked).toString();
}

document.addEventListener("click", carry, true);

let unjudged = false;

/** Without a network nothing is judged: what is typed is kept in the address, and judged when the network is back. */
function waitForNetwork() {
  unjudged = true;
  history.replaceState(history.state, "", `?${new URLSearchParams(new FormData(formOf()))}`);
  const verdict = document.querySelector("[data-verdict]");
  const word = document.createElement("h2");
  word.className = "verdict__word";
  word.textContent = padOf().dataset.unjudged;
  verdict.className = "verdict verdict--empty";
  verdict.dataset.marks = "{}";
  verdict.replaceChildren(word);
  redraw();
}

document.addEventListener("htmx:sendError", () => formOf() && padOf() && waitForNetwork());
addEventListener("online", () => {
  if (unjudged && formOf()) changed();
  unjudged = false;
});

function setUp() {
  const form = formOf();
  if (!form || form.dataset.ready) return;
  form.dataset.ready = "yes";
  pending = NOTHING;
  chosen = null;
  says = false;
  padOf().hidden = false;
  for (const enhanced of form.querySelectorAll("[data-enhanced]")) enhanced.hidden = false;
  for (const plain of form.querySelectorAll("[data-plain], [data-plain-button]")) plain.hidden = true;
  const rows = rowsOf().filter((row) => !row.closest("details:not([open])"));
  current = (rows.find((row) => inputOf(row).value.trim() === "") ?? rows[0])?.dataset.row ?? "m0";
}

setUp();
redraw();
document.addEventListener("htmx:load", () => {
  setUp();
  redraw();
});
