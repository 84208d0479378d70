import assert from "node:assert/strict";
import { test } from "node:test";

import { MemoryStore, Outbox, REFUSED, WAITING } from "../../continental/static/js/outbox.js";

/** An outbox whose server answers as `answers` says for each label; what is not in there is taken. */
function box(answers = {}, { shown = false } = {}) {
  const sent = [];
  const states = [];
  const store = new MemoryStore();
  const made = new Outbox({
    store,
    send: async (action) => {
      sent.push(action.label);
      return answers[action.label] ?? { outcome: "done" };
    },
    answered: () => shown,
    changed: (actions) => states.push(actions.map((action) => `${action.label}:${action.state}`)),
  });
  return { made, sent, states, store };
}

const away = { outcome: "away" };
const refused = { outcome: "refused", sentence: "Hand 1 is over." };

test("an action is sent at once and not kept", async () => {
  const { made, sent, store } = box();
  assert.equal(await made.add({ label: "a" }), true);
  assert.deepEqual(sent, ["a"]);
  assert.deepEqual(await store.all(), []);
});

test("what can't be sent waits, and goes out once, in order, when the network is back", async () => {
  const answers = { a: away, b: away };
  const { made, sent, store } = box(answers);
  assert.equal(await made.add({ label: "a" }), false);
  assert.equal(await made.add({ label: "b" }), false);
  assert.deepEqual((await store.all()).map((action) => action.state), [WAITING, WAITING]);
  delete answers.a;
  delete answers.b;
  sent.length = 0;
  assert.equal(await made.flush(), true);
  assert.deepEqual(sent, ["a", "b"]);
  assert.equal(await made.flush(), true);
  assert.deepEqual(sent, ["a", "b"]);
});

test("a refused action is kept with its sentence, and the rest goes on", async () => {
  const answers = { a: away, b: away, c: away };
  const { made, store } = box(answers);
  for (const label of ["a", "b", "c"]) await made.add({ label });
  Object.assign(answers, { a: undefined, b: refused, c: undefined });
  assert.equal(await made.flush(), true);
  const [kept, ...rest] = await store.all();
  assert.deepEqual([kept.label, kept.state, kept.sentence, rest.length], ["b", REFUSED, "Hand 1 is over.", 0]);
  await made.discard(kept.id);
  assert.deepEqual(await store.all(), []);
});

test("what is refused before the user's eyes is not kept twice", async () => {
  const { made, store } = box({ a: refused }, { shown: true });
  await made.add({ label: "a" });
  assert.deepEqual(await store.all(), []);
});

test("two flushes at once send nothing twice", async () => {
  const answers = { a: away };
  const { made, sent } = box(answers);
  await made.add({ label: "a" });
  delete answers.a;
  sent.length = 0;
  await Promise.all([made.flush(), made.flush(), made.flush()]);
  assert.deepEqual(sent, ["a"]);
});

test("a refused action is tried again on request", async () => {
  const answers = { a: away };
  const { made, sent, store } = box(answers);
  await made.add({ label: "a" });
  answers.a = refused;
  await made.flush();
  const [kept] = await store.all();
  delete answers.a;
  sent.length = 0;
  await made.again(kept.id);
  assert.deepEqual(sent, ["a"]);
  assert.deepEqual(await store.all(), []);
});
