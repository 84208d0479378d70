/** Cards as they lie in a row, as notation: `7H JK=8H`, where `=` says what a wild card stands for. And how taps become cards. */

import { JOKER, RANKS, SIGNS, parseCards } from "./cards.js";

/** Split typed notation into cards as they lie; words that are none are given back as `unread`. */
export function readLaid(text) {
  const cards = [];
  const unread = [];
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const [head, value, ...more] = word.split("=");
    const card = readFace(head);
    const spoken = value === undefined ? null : readValue(value);
    if (card === null || more.length > 0 || (value !== undefined && spoken === null)) unread.push(word);
    else cards.push({ card, spoken });
  }
  return { cards, unread };
}

function readFace(word) {
  const card = parseCards(word).cards[0] ?? null;
  return card === JOKER || card?.length === 2 ? card : null;
}

function readValue(word) {
  const value = parseCards(word).cards[0] ?? null;
  return value === JOKER ? null : value;
}

export const writeLaid = (cards) => cards.map(({ card, spoken }) => (spoken ? `${card}=${spoken}` : card)).join(" ");

/**
 * Take one tap on a rank or a suit. Which half stays for the next card hangs on the row: in a set the rank, in a run the suit.
 *
 * @param pending `{rank, suit}`, each `null` until it is tapped
 * @param tapped `{rank}` or `{suit}`
 * @param kind of the row: `set`, `pair`, `run`, or `any`
 * @returns `{card, pending}`: the card that is complete now, or `null`, and what waits for the next tap
 */
export function tapped(pending, tapped, kind) {
  const { rank, suit } = { ...pending, ...tapped };
  if (rank === null || suit === null) return { card: null, pending: { rank, suit } };
  const kept = { set: { rank, suit: null }, pair: { rank, suit: null }, run: { rank: null, suit } };
  return { card: rank + suit, pending: kept[kind] ?? { rank: null, suit: null } };
}

/** Put cards at a place of a row: after the card chosen, or at its end. */
export function insert(cards, added, after) {
  const at = after === null ? cards.length : after + 1;
  return [...cards.slice(0, at), ...added, ...cards.slice(at)];
}

/** Move a card by one place; at the end of the row nothing changes. */
export function move(cards, place, by) {
  const to = place + by;
  if (to < 0 || to >= cards.length) return { cards, place };
  const moved = [...cards];
  [moved[place], moved[to]] = [moved[to], moved[place]];
  return { cards: moved, place: to };
}

/** Tell whether a card is wild, given patterns such as `["JK", "2S"]`. */
export const isWild = (card, wild) => wild.includes(card);

const LETTERS = { 0: "T", 1: "T", t: "T", a: "A", j: "J", q: "Q", k: "K", ...Object.fromEntries(RANKS.filter((rank) => /\d/.test(rank)).map((rank) => [rank, rank])) };

/** What a key of a keyboard means on the pad: `{rank}`, `{suit}`, `{joker: true}`, or `null`. */
export function keyOf(letter) {
  const low = letter.toLowerCase();
  if (LETTERS[low] !== undefined) return { rank: LETTERS[low] };
  if (low !== "" && "shdc".includes(low)) return { suit: low.toUpperCase() };
  const suit = Object.entries(SIGNS).find(([, sign]) => sign === letter);
  if (suit) return { suit: suit[0] };
  return low === "*" ? { joker: true } : null;
}
