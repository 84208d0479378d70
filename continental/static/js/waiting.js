/** How long to wait before the next try: longer each time, and never two phones at the same moment. */

export const FIRST = 500;
export const MOST = 15000;

/** Milliseconds before try number `tries` (from 0); `random` gives a number from 0 up to 1. */
export const pause = (tries, random = Math.random) => Math.min(MOST, FIRST * 2 ** tries) * (0.5 + random());

/** An id that no other phone makes; `crypto.randomUUID` is missing where a table is served over plain http. */
export function newId(crypto = globalThis.crypto) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
