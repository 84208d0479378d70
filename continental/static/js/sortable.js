/**
 * Puts a list in order (components/_sortable.html): by its up and down buttons, by the arrow keys on them, and by dragging the
 * grip. The order is that of the hidden inputs in the rows. Without this module the buttons submit, and the server moves.
 */

import { fill, moved } from "./order.js";

const rowsOf = (list) => [...list.querySelectorAll(":scope > li")];

function place(list, rows) {
  rows.forEach((row) => list.append(row));
  refresh(list);
}

function refresh(list) {
  const rows = rowsOf(list);
  rows.forEach((row, index) => {
    row.querySelector('[data-move="up"]').disabled = index === 0;
    row.querySelector('[data-move="down"]').disabled = index === rows.length - 1;
  });
}

function tell(list, row) {
  const rows = rowsOf(list);
  const sentence = fill(list.dataset.moved, { name: row.dataset.name, place: rows.indexOf(row) + 1, number: rows.length });
  document.getElementById(list.dataset.status).textContent = sentence;
  list.dispatchEvent(new CustomEvent("order:change", { bubbles: true }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-sortable] [data-move]");
  if (!button) return;
  event.preventDefault();
  move(button, button.dataset.move === "up" ? -1 : 1);
});

function move(button, step) {
  const row = button.closest("li");
  const list = row.parentElement;
  const rows = rowsOf(list);
  const from = rows.indexOf(row);
  place(list, moved(rows, from, from + step));
  (button.disabled ? row.querySelector("[data-move]:not(:disabled)") : button)?.focus();
  tell(list, row);
}

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest("[data-sortable] [data-grip]");
  if (!grip) return;
  event.preventDefault();
  const row = grip.closest("li");
  const list = row.parentElement;
  row.classList.add("is-held");
  grip.setPointerCapture(event.pointerId);
  const drag = (now) => {
    const rows = rowsOf(list);
    const over = rows.findIndex((other) => now.clientY < other.getBoundingClientRect().bottom);
    const to = over === -1 ? rows.length - 1 : over;
    const from = rows.indexOf(row);
    // The row under the finger stays in the page, and the others step over it: taken out, it would lose the finger.
    if (to > from) row.before(...rows.slice(from + 1, to + 1));
    if (to < from) row.after(...rows.slice(to, from));
  };
  const drop = () => {
    grip.removeEventListener("pointermove", drag);
    row.classList.remove("is-held");
    refresh(list);
    tell(list, row);
  };
  grip.addEventListener("pointermove", drag);
  grip.addEventListener("lostpointercapture", drop, { once: true });
});

const setUp = (root) =>
  root.querySelectorAll("[data-sortable]").forEach((list) => {
    list.querySelectorAll("[data-grip]").forEach((grip) => (grip.hidden = false));
    refresh(list);
  });
setUp(document);
document.addEventListener("htmx:load", (event) => setUp(event.target.parentElement ?? document));
