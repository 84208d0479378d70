/** Moving one thing in a list, without a page. */

/** Give the list with the item at `from` moved to `to`; a place outside the list is the nearest inside. */
export function moved(list, from, to) {
  const place = Math.max(0, Math.min(list.length - 1, to));
  const rest = list.filter((_item, index) => index !== from);
  return [...rest.slice(0, place), list[from], ...rest.slice(place)];
}

/** Give a number within its bounds; what is no number counts as the lower bound. */
export function within(value, least, most) {
  const number = Number.isFinite(value) ? value : least;
  return Math.min(most, Math.max(least, number));
}

/** Fill `{names}` in a sentence. */
export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
