/** Points as people type them: one number, or a sum such as `10+15`. The server reads them the same way (fixtures/sums.json), and has the last word. */

/** More than any hand can hold. */
export const MOST = 5000;

/**
 * Read a sum.
 *
 * @param {string} text what was typed
 * @returns {{points: number|null, parts: number[], fault: null|"unreadable"|"unfinished"|"fraction"|"too-big"}}
 *   `points` is null where nothing was typed, and wherever there is a fault: nothing typed is not zero.
 */
export function readSum(text) {
  const plain = text
    .normalize("NFKC")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, "");
  if (plain === "") return { points: null, parts: [], fault: null };
  const fail = (fault) => ({ points: null, parts: [], fault });
  if (/\d\s+\d/.test(text)) return fail("unreadable");
  if (/[²³¹⁰-₉½¼¾]/.test(text)) return fail("unreadable");
  if (/^[+-]?\d+([+-]\d+)*[+-]$/.test(plain) || /^[+-]$/.test(plain)) return fail("unfinished");
  if (/^[+-]?\d+([.,]\d+)?([+-]\d+([.,]\d+)?)*$/.test(plain) && /[.,]/.test(plain)) return fail("fraction");
  if (!/^[+-]?\d+([+-]\d+)*$/.test(plain)) return fail("unreadable");
  const parts = plain.match(/[+-]?\d+/g).map(Number);
  const points = parts.reduce((sum, part) => sum + part, 0);
  if (Math.abs(points) > MOST || parts.some((part) => Math.abs(part) > 99_999)) return fail("too-big");
  return { points: points + 0, parts, fault: null };
}
