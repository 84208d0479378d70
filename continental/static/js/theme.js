/** Changes the colours of the pages and of the suits at once, and lets the server keep the choice. Without this module the form does the same with a reload. */

const YEAR = 365 * 24 * 60 * 60;

export function apply(theme, page = document) {
  if (theme === "auto") page.documentElement.removeAttribute("data-bs-theme");
  else page.documentElement.setAttribute("data-bs-theme", theme);
}

export function applySuits(suits, page = document) {
  page.documentElement.classList.toggle("four-colour", suits === "four");
}

if (typeof document !== "undefined") {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-theme], form[data-suit-colours]");
    if (!form || !event.submitter) return;
    event.preventDefault();
    const { name, value } = event.submitter;
    if (name === "suits") applySuits(value);
    else apply(value);
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === event.submitter));
    document.cookie = `${name}=${value};path=/;max-age=${YEAR};samesite=lax`;
    fetch(form.action, { method: "POST", body: new FormData(form, event.submitter), redirect: "manual" }).catch(() => {
      // Offline the cookie alone keeps the choice on this device.
    });
  });
}
