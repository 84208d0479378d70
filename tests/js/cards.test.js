import assert from "node:assert/strict";
import { test } from "node:test";

import { formatCards, hangsOnSuit, parseCards, printed, RANKS, sortCards, SUITS, sumOf, valueOf } from "../../continental/static/js/cards.js";

const house = { JK: 15 };
for (const rank of RANKS) for (const suit of SUITS) house[rank + suit] = rank === "A" ? 15 : "23456 7".includes(rank) ? 5 : 10;
const kalooki = { ...house, AS: 15, AC: 15, AH: 1, AD: 1 };

test("cards are read as people write them", () => {
  assert.deepEqual(parseCards("7h 10♥, as;★ joker * k").cards, ["7H", "TH", "AS", "JK", "JK", "JK", "K"]);
});

test("what is no card is given back and not counted", () => {
  assert.deepEqual(parseCards("7H 11S x"), { cards: ["7H"], unread: ["11S", "x"] });
});

test("nothing typed is no card at all", () => {
  assert.deepEqual(parseCards("  "), { cards: [], unread: [] });
});

test("writing and reading again changes nothing", () => {
  const cards = ["7H", "T", "JK", "AS"];
  assert.deepEqual(parseCards(formatCards(cards)).cards, cards);
});

test("a rank alone is worth what all its suits are worth", () => {
  assert.equal(valueOf("T", house), 10);
  assert.equal(hangsOnSuit("A", house), false);
});

test("a rank whose suits differ is worth nothing certain without one", () => {
  assert.equal(hangsOnSuit("A", kalooki), true);
  assert.equal(valueOf("A", kalooki), null);
  assert.equal(valueOf("AH", kalooki), 1);
});

test("a joker never asks for a suit", () => {
  assert.equal(hangsOnSuit("JK", kalooki), false);
});

test("a hand with a joker counts the joker", () => {
  assert.equal(sumOf(["K", "JK"], house), 25);
});

test("the same four cards in any order have the same sum", () => {
  assert.equal(sumOf(["Q", "5", "JK", "A"], house), 45);
  assert.equal(sumOf(["A", "JK", "5", "Q"], house), 45);
});

test("one card without a value leaves the sum open, and no cards leave none", () => {
  assert.equal(sumOf(["7", "JK"], { ...house, JK: null }), null);
  assert.equal(sumOf([], house), 0);
});

test("cards lie in the order of the keys, equal ones together", () => {
  assert.deepEqual(sortCards(["JK", "K", "7", "A", "7"]), ["A", "7", "7", "K", "JK"]);
});

test("cards are printed as they look", () => {
  assert.deepEqual(["TH", "JK", "7", "AS"].map(printed), ["10♥", "★", "7", "A♠"]);
});
