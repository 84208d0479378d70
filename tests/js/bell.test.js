import assert from "node:assert/strict";
import { test } from "node:test";

import { Bell, POLL } from "../../continental/static/js/bell.js";
import { MOST, newId, pause } from "../../continental/static/js/waiting.js";

class Timer {
  timeouts = [];
  intervals = new Map();
  setTimeout = (deed, wait) => this.timeouts.push({ deed, wait });
  clearTimeout = () => {};
  setInterval = (deed, wait) => {
    this.intervals.set(this.intervals.size + 1, { deed, wait });
    return this.intervals.size;
  };
  clearInterval = (id) => this.intervals.delete(id);
}

function bell() {
  const sources = [];
  const rung = [];
  const timer = new Timer();
  class Source {
    constructor(address) {
      this.address = address;
      sources.push(this);
    }
    close() {
      this.closed = true;
    }
  }
  const made = new Bell({ address: () => `/events/7?try=${sources.length}`, rung: (rev) => rung.push(rev), Source, timer, random: () => 0.5 });
  return { made, sources, rung, timer };
}

test("a revision rings, and opening looks once for what was missed", () => {
  const { made, sources, rung } = bell();
  made.start();
  sources[0].onopen();
  sources[0].onmessage({ data: "12" });
  sources[0].onmessage({ data: "look" });
  assert.deepEqual(rung, [null, 12, null]);
});

test("a broken stream is tried again after a pause of its own, with a fresh address", () => {
  const { made, sources, timer } = bell();
  made.start();
  sources[0].onerror();
  assert.equal(sources[0].closed, true);
  assert.equal(timer.timeouts[0].wait, 500);
  timer.timeouts[0].deed();
  assert.notEqual(sources[1].address, sources[0].address);
});

test("while no stream can be had the page is asked for, and no longer once there is one", () => {
  const { made, sources, rung, timer } = bell();
  made.start();
  sources[0].onerror();
  assert.equal(timer.intervals.size, 0);
  timer.timeouts[0].deed();
  sources[1].onerror();
  assert.equal(timer.intervals.size, 1);
  const [{ deed, wait }] = timer.intervals.values();
  assert.equal(wait, POLL);
  deed();
  assert.deepEqual(rung, [null]);
  timer.timeouts[1].deed();
  sources[2].onopen();
  assert.equal(timer.intervals.size, 0);
});

test("a stopped bell does not come back", () => {
  const { made, sources, timer } = bell();
  made.start();
  made.stop();
  sources[0].onerror();
  assert.equal(timer.timeouts.length, 0);
});

test("pauses grow to a limit and differ from phone to phone", () => {
  assert.ok(pause(0, () => 0) < pause(3, () => 0));
  assert.ok(pause(50, () => 0.999) <= MOST * 1.5);
  assert.notEqual(pause(2, () => 0.1), pause(2, () => 0.9));
});

test("an id needs nothing that plain http lacks", () => {
  const crypto = { getRandomValues: (bytes) => bytes.fill(171) };
  assert.equal(newId(crypto), "ab".repeat(12));
  assert.notEqual(newId(), newId());
});
