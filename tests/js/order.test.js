import assert from "node:assert/strict";
import { test } from "node:test";

import { fill, moved, within } from "../../continental/static/js/order.js";

test("moving one leaves the others in their order", () => {
  assert.deepEqual(moved(["a", "b", "c", "d"], 0, 2), ["b", "c", "a", "d"]);
  assert.deepEqual(moved(["a", "b", "c", "d"], 3, 0), ["d", "a", "b", "c"]);
});

test("nothing moves out of the list", () => {
  assert.deepEqual(moved(["a", "b"], 0, -1), ["a", "b"]);
  assert.deepEqual(moved(["a", "b"], 1, 9), ["a", "b"]);
});

test("moving changes no list but its own answer", () => {
  const list = ["a", "b"];
  moved(list, 0, 1);
  assert.deepEqual(list, ["a", "b"]);
});

test("a number stays within its bounds, and what is none becomes the lower", () => {
  assert.equal(within(25, 0, 20), 20);
  assert.equal(within(-1, 0, 20), 0);
  assert.equal(within(Number.NaN, 0, 20), 0);
  assert.equal(within(7, 0, Infinity), 7);
});

test("a sentence takes its values, zero too, and leaves unknown names alone", () => {
  assert.equal(fill("{name}: {points} {other}", { name: "Ana", points: 0 }), "Ana: 0 {other}");
});

test("a value that looks like a name is not filled again", () => {
  assert.equal(fill("{a} {b}", { a: "{b}", b: "x" }), "{b} x");
});
