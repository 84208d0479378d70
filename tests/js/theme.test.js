import assert from "node:assert/strict";
import { test } from "node:test";

import { apply } from "../../continental/static/js/theme.js";

function page() {
  const attributes = new Map([["data-bs-theme", "light"]]);
  const documentElement = { setAttribute: (name, value) => attributes.set(name, value), removeAttribute: (name) => attributes.delete(name) };
  return { attributes, documentElement };
}

test("dark is said on the page", () => {
  const shown = page();
  apply("dark", shown);
  assert.equal(shown.attributes.get("data-bs-theme"), "dark");
});

test("auto says nothing, so that the device decides", () => {
  const shown = page();
  apply("auto", shown);
  assert.equal(shown.attributes.has("data-bs-theme"), false);
});
