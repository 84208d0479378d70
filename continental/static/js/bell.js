/**
 * Hears the bell of a game: server-sent events that carry nothing but the number of the newest event. While no stream can be
 * had, the page is asked for every few seconds instead. A stream may die without an error, as where a router forgets it: the
 * server says how often it gives a sign of life, and a stream that misses some is left for a new one.
 */

import { pause } from "./waiting.js";

export const POLL = 4000;
const TRIES_BEFORE_POLLING = 2;
/** Milliseconds that a stream may take to come up and say its first word. */
export const FIRST_WORD = 15000;
/** How many signs of life may fail to come. */
const MISSED = 2.5;

export class Bell {
  /**
   * @param {object} parts
   * @param {() => string} parts.address where to listen, made anew for every try: it carries the page's ticket
   * @param {(rev: number|null) => void} parts.rung called with a revision, or with null where something may have been missed
   * @param {(up: boolean) => void} parts.heard called when the stream comes up or goes down
   */
  constructor({ address, rung, heard = () => {}, Source = globalThis.EventSource, timer = globalThis, random = Math.random }) {
    Object.assign(this, { address, rung, heard, Source, timer, random });
    this.tries = 0;
    this.open = false;
  }

  start() {
    this.stop();
    this.wanted = true;
    this.#connect();
  }

  stop() {
    this.wanted = false;
    this.open = false;
    this.source?.close();
    this.source = null;
    this.timer.clearTimeout(this.retry);
    this.timer.clearTimeout(this.silence);
    this.timer.clearInterval(this.poll);
    this.poll = undefined;
  }

  #connect() {
    if (!this.Source) return this.#pollMeanwhile();
    const source = new this.Source(this.address());
    this.source = source;
    let patience = FIRST_WORD;
    const alive = () => {
      if (this.source === source) this.#watch(source, patience);
    };
    alive();
    source.onopen = () => {
      alive();
      this.open = true;
      this.tries = 0;
      this.timer.clearInterval(this.poll);
      this.poll = undefined;
      this.heard(true);
      // What rang while nobody listened is found by looking once.
      this.rung(null);
    };
    source.onmessage = (event) => {
      alive();
      this.rung(/^\d+$/.test(event.data) ? Number(event.data) : null);
    };
    source.addEventListener("alive", (event) => {
      patience = Number(event.data) * 1000 * MISSED || FIRST_WORD;
      alive();
    });
    source.onerror = () => this.#lose(source);
  }

  #lose(source) {
    source.close();
    if (!this.wanted || this.source !== source) return;
    this.source = null;
    this.timer.clearTimeout(this.silence);
    this.open = false;
    this.heard(false);
    this.retry = this.timer.setTimeout(() => this.#connect(), pause(this.tries, this.random));
    this.tries += 1;
    if (this.tries >= TRIES_BEFORE_POLLING) this.#pollMeanwhile();
  }

  /** Leave a stream that says nothing for `patience` milliseconds, and look at once for what it may have kept to itself. */
  #watch(source, patience) {
    this.timer.clearTimeout(this.silence);
    const silence = () => {
      this.#lose(source);
      this.rung(null);
    };
    // Phones that one router let down together do not all come back in the same moment.
    this.silence = this.timer.setTimeout(silence, patience * (1 + this.random() / 4));
  }

  #pollMeanwhile() {
    this.poll ??= this.timer.setInterval(() => this.rung(null), POLL * (0.75 + this.random() / 2));
  }
}
