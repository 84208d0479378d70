/**
 * Hears the bell of a game: server-sent events that carry nothing but the number of the newest event. While no stream can be
 * had, the page is asked for every few seconds instead.
 */

import { pause } from "./waiting.js";

export const POLL = 4000;
const TRIES_BEFORE_POLLING = 2;

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
    this.timer.clearInterval(this.poll);
    this.poll = undefined;
  }

  #connect() {
    if (!this.Source) return this.#pollMeanwhile();
    const source = new this.Source(this.address());
    this.source = source;
    source.onopen = () => {
      this.open = true;
      this.tries = 0;
      this.timer.clearInterval(this.poll);
      this.poll = undefined;
      this.heard(true);
      // What rang while nobody listened is found by looking once.
      this.rung(null);
    };
    source.onmessage = (event) => this.rung(/^\d+$/.test(event.data) ? Number(event.data) : null);
    source.onerror = () => {
      source.close();
      if (!this.wanted || this.source !== source) return;
      this.open = false;
      this.heard(false);
      this.retry = this.timer.setTimeout(() => this.#connect(), pause(this.tries, this.random));
      this.tries += 1;
      if (this.tries >= TRIES_BEFORE_POLLING) this.#pollMeanwhile();
    };
  }

  #pollMeanwhile() {
    this.poll ??= this.timer.setInterval(() => this.rung(null), POLL * (0.75 + this.random() / 2));
  }
}
