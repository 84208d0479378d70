import assert from "node:assert/strict";
import { test } from "node:test";

import { Bell, FIRST_WORD, POLL } from "../../continental/static/js/bell.js";
import { MOST, newId, pause } from "../../continental/static/js/waiting.js";

class Timer {
  timeouts = new Map();
  intervals = new Map();
  made = 0;
  setTimeout = (deed, wait) => {
    this.timeouts.set(++this.made, { deed, wait });
    return this.made;
  };
  clearTimeout = (id) => this.timeouts.delete(id);
  setInterval = (deed, wait) => {
    this.intervals.set(this.intervals.size + 1, { deed, wait });
    return this.intervals.size;
  };
  clearInterval = (id) => this.intervals.delete(id);

  /** How long the waits are that are still to come, the shortest first. */
  waits = () => [...this.timeouts.values()].map(({ wait }) => wait).sort((one, other) => one - other);

  /** Let the next wait come to its end. */
  pass() {
    const [id, { deed }] = [...this.timeouts].reduce((soonest, other) => (other[1].wait < soonest[1].wait ? other : soonest));
    this.timeouts.delete(id);
    deed();
  }
}

function bell(random = () => 0.5) {
  const sources = [];
  const rung = [];
  const timer = new Timer();
  class Source {
    listeners = {};
    constructor(address) {
      this.address = address;
      sources.push(this);
    }
    addEventListener(name, deed) {
      this.listeners[name] = deed;
    }
    alive(seconds) {
      this.listeners.alive({ data: String(seconds) });
    }
    close() {
      this.closed = true;
    }
  }
  const made = new Bell({ address: () => `/events/7?try=${sources.length}`, rung: (rev) => rung.push(rev), Source, timer, random });
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
  assert.deepEqual(timer.waits(), [500]);
  timer.pass();
  assert.notEqual(sources[1].address, sources[0].address);
});

test("while no stream can be had the page is asked for, and no longer once there is one", () => {
  const { made, sources, rung, timer } = bell();
  made.start();
  sources[0].onerror();
  assert.equal(timer.intervals.size, 0);
  timer.pass();
  sources[1].onerror();
  assert.equal(timer.intervals.size, 1);
  const [{ deed, wait }] = timer.intervals.values();
  assert.equal(wait, POLL);
  deed();
  assert.deepEqual(rung, [null]);
  timer.pass();
  sources[2].onopen();
  assert.equal(timer.intervals.size, 0);
});

test("a stopped bell does not come back", () => {
  const { made, sources, timer } = bell();
  made.start();
  made.stop();
  sources[0].onerror();
  sources[0].alive(10);
  assert.equal(timer.timeouts.size, 0);
});

test("a stream that dies without an error is left for a new one once signs of life fail to come", () => {
  const { made, sources, rung, timer } = bell(() => 0);
  made.start();
  sources[0].onopen();
  sources[0].alive(10);
  assert.deepEqual(timer.waits(), [25000]);
  assert.deepEqual(rung, [null]);
  timer.pass();
  assert.equal(sources[0].closed, true);
  assert.deepEqual(rung, [null, null], "it looks at once for what it missed");
  timer.pass();
  assert.equal(sources.length, 2);
});

test("whatever the stream says is a sign of life", () => {
  const { made, sources, timer } = bell(() => 0);
  made.start();
  sources[0].onopen();
  sources[0].alive(10);
  const before = timer.made;
  sources[0].onmessage({ data: "12" });
  assert.equal(timer.made, before + 1);
  assert.deepEqual(timer.waits(), [25000]);
});

test("a stream that neither comes up nor fails is given up too, and the page is asked for meanwhile", () => {
  const { made, sources, timer } = bell(() => 0);
  made.start();
  assert.deepEqual(timer.waits(), [FIRST_WORD]);
  timer.pass();
  assert.equal(sources[0].closed, true);
  timer.pass();
  timer.pass();
  assert.equal(sources[1].closed, true);
  assert.equal(timer.intervals.size, 1);
});

test("a stream that was left says nothing any more", () => {
  const { made, sources, timer } = bell(() => 0);
  made.start();
  sources[0].onerror();
  timer.pass();
  sources[0].alive(1);
  assert.deepEqual(timer.waits(), [FIRST_WORD]);
});

test("phones that one router let down come back each in its own time", () => {
  const patience = [0, 0.9].map((number) => {
    const { made, sources, timer } = bell(() => number);
    made.start();
    sources[0].alive(10);
    return timer.waits()[0];
  });
  assert.ok(patience[0] < patience[1]);
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
