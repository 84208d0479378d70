import assert from "node:assert/strict";
import { test } from "node:test";

import { markOf, nextZoom, readSpots, spotOf, writeSpots } from "../../continental/static/js/photo.js";

const BOX = { left: 100, top: 50, width: 400, height: 300 };

test("zooming stays within its steps", () => {
  assert.equal(nextZoom(1, 1), 1.5);
  assert.equal(nextZoom(1, -1), 1);
  assert.equal(nextZoom(4, 1), 4);
});

test("a spot is told in parts of the photo as it was taken, however it is turned", () => {
  assert.deepEqual(spotOf({ x: 200, y: 125 }, BOX, 0), [0.25, 0.25]);
  assert.deepEqual(spotOf({ x: 200, y: 125 }, BOX, 2), [0.75, 0.75]);
  assert.deepEqual(spotOf({ x: 200, y: 350 }, BOX, 1), [1, 0.75]);
  assert.deepEqual(spotOf({ x: 200, y: 350 }, BOX, 5), [1, 0.75]);
  assert.deepEqual(spotOf({ x: 9999, y: -9 }, BOX, 0), [1, 0]);
});

test("spots survive being written, and nonsense among them is left out", () => {
  const spots = new Map([["m0", [0.25, 0.5]], ["t11", [1, 0]]]);
  assert.deepEqual(readSpots(writeSpots(spots)), spots);
  assert.deepEqual(readSpots("m0:0.25:0.5 m1 ::: m2:x:y"), new Map([["m0", [0.25, 0.5]]]));
});

test("a spot bears the number of its meld, and a letter where it is none of those laid", () => {
  assert.deepEqual(["m0", "m2", "t0", "l3", "d"].map(markOf), ["1", "3", "T1", "L4", "D"]);
});
