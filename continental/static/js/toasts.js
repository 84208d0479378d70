/** Messages: each can be closed, good news goes by itself, and a fault stays until it is closed. */

const READ = 6000;

const shelf = () => document.getElementById("toasts");

function dress(toast) {
  if (toast.querySelector("button")) return;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "btn btn-square";
  close.setAttribute("aria-label", shelf().dataset.close);
  close.textContent = "✕";
  close.addEventListener("click", () => toast.remove());
  toast.append(close);
  if (toast.classList.contains("alert-success") || toast.classList.contains("alert-info")) leave(toast);
}

/** Take the toast away when it could be read, but not from under a pointer or a finger. */
function leave(toast) {
  setTimeout(() => (toast.matches(":hover, :focus-within") ? leave(toast) : toast.remove()), READ);
}

/** Show a message. `level` is one of success, info, warning, error. */
export function tell(text, level = "info") {
  const toast = document.createElement("div");
  toast.className = `alert alert-${level} toast`;
  const words = document.createElement("span");
  words.dir = "auto";
  words.textContent = text;
  toast.append(words);
  shelf().append(toast);
  dress(toast);
}

document.querySelectorAll("[data-toast]").forEach(dress);
