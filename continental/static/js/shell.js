/** What every page has: the menus, the colours, messages that go away, questions before a deed, steppers and lists in order. */

import "./confirm.js";
import "./sortable.js";
import "./stepper.js";
import "./theme.js";
import "./toasts.js";
import { ownZone } from "./zone.js";

document.documentElement.classList.add("js");
ownZone(document);

// A refused form is sent back from its top: the first field that will not do gets the focus, wherever it stands.
document.querySelector(".is-invalid")?.focus();

/** Close open menus on a tap beside them and on Escape; Escape gives the focus back. */
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
