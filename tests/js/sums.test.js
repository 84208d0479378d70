import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readSum } from "../../continental/static/js/sums.js";

const points = (text) => readSum(text).points;
const fault = (text) => readSum(text).fault;

test("a number is itself, and zero is not nothing", () => {
  assert.equal(points("45"), 45);
  assert.equal(points("0"), 0);
  assert.equal(points(""), null);
  assert.equal(fault(""), null);
});

test("a sum is added up and keeps its parts", () => {
  assert.deepEqual(readSum("10+15"), { points: 25, parts: [10, 15], fault: null });
  assert.deepEqual(readSum(" 10 + 15 - 5 ").parts, [10, 15, -5]);
});

test("minus points can be typed with any dash", () => {
  for (const dash of ["-", "−", "–"]) assert.equal(points(`${dash}10`), -10);
});

test("minus nothing is plain zero", () => {
  assert.ok(Object.is(points("-0"), 0));
});

test("wide digits are digits", () => {
  assert.equal(points("１２"), 12);
});

for (const [text, expected] of [
  ["10+", "unfinished"],
  ["-", "unfinished"],
  ["10.5", "fraction"],
  ["10,5", "fraction"],
  ["ten", "unreadable"],
  ["1e9", "unreadable"],
  ["10 15", "unreadable"],
  ["10++5", "unreadable"],
  ["1000000000", "too-big"],
  ["4999+2", "too-big"],
]) {
  test(`“${text}” is ${expected}, and counts as nothing`, () => {
    assert.equal(fault(text), expected);
    assert.equal(points(text), null);
  });
}

for (const { typed, points: expected } of JSON.parse(readFileSync(new URL("../../fixtures/sums.json", import.meta.url), "utf-8"))) {
  test(`“${typed}” is read as the server reads it`, () => assert.equal(points(typed), expected));
}
