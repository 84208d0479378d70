/**
 * Asks before a deed that is hard to take back: a button with `data-confirm="Remove Ana?"` (and `data-confirm-yes`, the word on
 * the button that does it) first opens the page's dialog. Without this module the deed is done at once, and can be undone.
 */

const dialog = document.getElementById("confirm");

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-confirm]");
  if (!button || !dialog || button.dataset.confirmed) return;
  event.preventDefault();
  event.stopPropagation();
  dialog.querySelector("[data-question]").textContent = button.dataset.confirm;
  const yes = dialog.querySelector('button[value="yes"]');
  yes.textContent = button.dataset.confirmYes || button.textContent;
  dialog.returnValue = "";
  dialog.addEventListener(
    "close",
    () => {
      if (dialog.returnValue === "yes") {
        button.dataset.confirmed = "yes";
        button.click();
        delete button.dataset.confirmed;
      }
      button.focus();
    },
    { once: true },
  );
  dialog.showModal();
}, true);
