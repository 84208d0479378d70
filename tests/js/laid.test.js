import assert from "node:assert/strict";
import { test } from "node:test";

import { insert, keyOf, move, readLaid, tapped, writeLaid } from "../../continental/static/js/laid.js";

const NOTHING = { rank: null, suit: null };
const laid = (card, spoken = null) => ({ card, spoken });

test("notation is read with what a wild card stands for, and written again", () => {
  const { cards, unread } = readLaid("7h, 10♣ ★=8H JK=9 7x 7 JK=JK");
  assert.deepEqual(cards, [laid("7H"), laid("TC"), laid("JK", "8H"), laid("JK", "9")]);
  assert.deepEqual(unread, ["7x", "7", "JK=JK"]);
  assert.equal(writeLaid(cards), "7H TC JK=8H JK=9");
});

test("in a set the rank stays, in a run the suit, elsewhere neither", () => {
  const first = tapped(NOTHING, { rank: "7" }, "set");
  assert.equal(first.card, null);
  assert.deepEqual(tapped(first.pending, { suit: "H" }, "set"), { card: "7H", pending: { rank: "7", suit: null } });
  assert.deepEqual(tapped({ rank: null, suit: "H" }, { rank: "7" }, "run"), { card: "7H", pending: { rank: null, suit: "H" } });
  assert.deepEqual(tapped({ rank: "7", suit: null }, { suit: "H" }, "any"), { card: "7H", pending: NOTHING });
});

test("another rank in a set waits for its suit", () => {
  assert.deepEqual(tapped({ rank: "7", suit: null }, { rank: "K" }, "set"), { card: null, pending: { rank: "K", suit: null } });
});

test("cards go in after the one chosen, or at the end", () => {
  assert.deepEqual(insert(["a", "b"], ["x"], 0), ["a", "x", "b"]);
  assert.deepEqual(insert(["a", "b"], ["x"], null), ["a", "b", "x"]);
});

test("a card moves by one place and not off the row", () => {
  assert.deepEqual(move(["a", "b"], 0, 1), { cards: ["b", "a"], place: 1 });
  assert.deepEqual(move(["a", "b"], 1, 1), { cards: ["a", "b"], place: 1 });
});

test("a keyboard types ranks, suits and jokers", () => {
  assert.deepEqual(["0", "t", "a", "7", "h", "♣", "*", "x"].map(keyOf), [
    { rank: "T" }, { rank: "T" }, { rank: "A" }, { rank: "7" }, { suit: "H" }, { suit: "C" }, { joker: true }, null,
  ]);
});
