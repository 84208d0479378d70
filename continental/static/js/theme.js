/** Changes the colours at once, and lets the server keep the choice. Without this module the form does the same with a reload. */

const YEAR = 365 * 24 * 60 * 60;

export function apply(theme, page = document) {
  if (theme === "auto") page.documentElement.removeAttribute("data-bs-theme");
  else page.documentElement.setAttribute("data-bs-theme", theme);
}

if (typeof document !== "undefined") {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-theme]");
    if (!form || !event.submitter) return;
    event.preventDefault();
    const theme = event.submitter.value;
    apply(theme);
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button === event.submitter));
    document.cookie = `theme=${theme};path=/;max-age=${YEAR};samesite=lax`;
    fetch(form.action, { method: "POST", body: new FormData(form, event.submitter), redirect: "manual" }).catch(() => {
      // Offline the cookie alone keeps the choice on this device.
    });
  });
}
