import assert from "node:assert/strict";
import { test } from "node:test";

import { ownZone } from "../../continental/static/js/zone.js";

const list = (value, ...offered) => ({ value, options: offered.map((zone) => ({ value: zone })) });
const page = (select) => ({ querySelectorAll: () => [select] });

test("a list left as it came gets the device's own zone", () => {
  const select = list("UTC", "UTC", "Europe/Madrid");
  ownZone(page(select), "Europe/Madrid");
  assert.equal(select.value, "Europe/Madrid");
});

test("a browser that has an older name for its zone gets the zone", () => {
  const select = list("UTC", "UTC", "Asia/Karachi", "Asia/Kolkata");
  ownZone(page(select), "Asia/Calcutta");
  assert.equal(select.value, "Asia/Kolkata");
});

test("a zone that somebody chose stays", () => {
  const select = list("Asia/Tokyo", "UTC", "Europe/Madrid", "Asia/Tokyo");
  ownZone(page(select), "Europe/Madrid");
  assert.equal(select.value, "Asia/Tokyo");
});

test("a zone that is not in the list changes nothing", () => {
  const select = list("UTC", "UTC");
  ownZone(page(select), "Moon/Base");
  assert.equal(select.value, "UTC");
});
