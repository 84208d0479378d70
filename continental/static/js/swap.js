/**
 * Puts a freshly fetched table in place of the one on the page, without taking anything from under a finger: what is being
 * typed stays, the focus stays, and nothing moves between the press and the release of a tap.
 */

const boardOf = (root) => root.querySelector("#board");
/** What is filled in on a board: one form of it (`data-keep`), or the whole board where it is little else (`data-hold`). */
const keepOf = (board) => (board?.matches("[data-hold]") ? board : (board?.querySelector("[data-keep]") ?? null));
/** What the form hangs on, in one word: where it differs, the form is about something that has changed. */
const groundOf = (board) => keepOf(board)?.dataset.hold ?? keepOf(board)?.dataset.keep;

let dirty = false;
let pressed = false;
let pending = null;

export const isDirty = () => dirty;
export const clean = () => (dirty = false);

/** Read an answer of the server: its board, or null where it is no page of a game. */
export const readBoard = (html) => boardOf(new DOMParser().parseFromString(html, "text/html"));

/** Show a fetched board; `own` where it answers what was just done here, so that nothing half typed is in the way. */
export function show(board, own = false) {
  if (pressed && !own) {
    pending = board;
    return;
  }
  pending = null;
  const old = boardOf(document);
  const keep = keepOf(old);
  const typing = document.activeElement?.matches("input:not([type=radio]), textarea") && keep?.contains(document.activeElement);
  if (!own && keep && (dirty || typing)) showAround(old, keep, board);
  else showAll(old, board);
  // A refused form holds what was typed, beside the reason: that is not to go when the bell rings next.
  if (own) dirty = Boolean(board.querySelector(".trouble"));
}

function showAll(old, board) {
  const focused = old.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  clean();
  const fresh = document.importNode(board, true);
  old.replaceWith(fresh);
  wake(fresh);
  if (focused) [...fresh.querySelectorAll("a, button, input, select")].find((element) => nameOf(element) === focused)?.focus({ preventScroll: true });
  fresh.querySelector("[autofocus]")?.focus();
}

/** Change everything but the form that is being filled in; where that very entry changed elsewhere, say so beside it. */
function showAround(old, keep, board) {
  for (const part of board.querySelectorAll("[data-part]")) {
    const there = document.getElementById(part.id);
    if (!there || keep.contains(there) || there.outerHTML === part.outerHTML) continue;
    const fresh = document.importNode(part, true);
    there.replaceWith(fresh);
    wake(fresh);
  }
  const changed = groundOf(board) !== groundOf(old);
  for (const [name, value] of Object.entries(board.dataset)) old.dataset[name] = value;
  if (!changed) return;
  const note = keep.querySelector("[data-changed]");
  note.textContent = keep.dataset.meanwhile;
  note.hidden = false;
}

function wake(element) {
  globalThis.htmx?.process(element);
  element.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true }));
  element.dispatchEvent(new CustomEvent("table:shown", { bubbles: true }));
}

/** Tell one control from another across two versions of a page. */
function nameOf(element) {
  const fields = new FormData(element.form ?? undefined);
  const about = ["do", "seat", "kind"].map((name) => fields.get(name) ?? "");
  return [element.id, element.tagName, element.getAttribute("href") ?? "", element.name ?? "", ...about].join("|");
}

export function watch(document) {
  for (const kind of ["input", "change", "count:change"]) {
    document.addEventListener(kind, (event) => {
      if (event.target.closest?.("[data-keep], [data-hold]")) dirty = true;
    });
  }
  document.addEventListener("pointerdown", (event) => (pressed = Boolean(event.target.closest?.("#board"))), true);
  const release = () => {
    pressed = false;
    // The click comes after the release: only then may the button go.
    if (pending) setTimeout(() => pending && show(pending));
  };
  document.addEventListener("pointerup", release, true);
  document.addEventListener("pointercancel", release, true);
}
