/** Cards left in a hand, as the keypad writes them: faces such as `7H`, ranks alone (`7`) where the suit changes nothing, `JK`. */

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
export const SUITS = ["S", "H", "D", "C"];
export const JOKER = "JK";
export const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

const KNOWN = new Set([JOKER, ...RANKS, ...RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit))]);

/** Split typed notation into cards; what is none of them is left out and given back as `unread`. */
export function parseCards(text) {
  const cards = [];
  const unread = [];
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const card = readCard(word);
    (card === null ? unread : cards).push(card ?? word);
  }
  return { cards, unread };
}

function readCard(word) {
  let card = word.replace(/[\ufe0e\ufe0f]/g, "").toUpperCase();
  for (const [suit, sign] of Object.entries(SIGNS)) card = card.replace(sign, suit);
  if (card === "JOKER" || card === "*" || card === "★") return JOKER;
  if (card.startsWith("10")) card = "T" + card.slice(2);
  return KNOWN.has(card) ? card : null;
}

export const formatCards = (cards) => cards.join(" ");

/** What people read on a card: `10♥`, `★`, `7`. */
export function printed(card) {
  if (card === JOKER) return "★";
  return (card[0] === "T" ? "10" : card[0]) + (SIGNS[card[1]] ?? "");
}

/** Tell whether the points of a rank hang on the suit, under `values`: points by face, such as `{"AS": 15, "JK": 15}`. */
export function hangsOnSuit(rank, values) {
  return rank !== JOKER && new Set(SUITS.map((suit) => values[rank + suit])).size > 1;
}

/** Points of one card; `null` where the sheet does not say, or where a rank alone is not enough to tell. */
export function valueOf(card, values) {
  if (card in values) return values[card];
  return hangsOnSuit(card, values) ? null : (values[card + "S"] ?? null);
}

/** Points of all cards together; `null` as soon as one of them is not known. */
export function sumOf(cards, values) {
  let sum = 0;
  for (const card of cards) {
    const value = valueOf(card, values);
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

const ORDER = new Map([...RANKS.flatMap((rank) => [rank, ...SUITS.map((suit) => rank + suit)]), JOKER].map((card, place) => [card, place]));

/** Cards in the order of the keys, so that equal ones lie together. */
export const sortCards = (cards) => [...cards].sort((one, other) => ORDER.get(one) - ORDER.get(other));
