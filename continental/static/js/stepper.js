/** A number with a button on each side (components/_stepper.html). Without this module it is a number field. */

import { within } from "./order.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  const input = button?.closest("[data-stepper]")?.querySelector("input");
  if (!input) return;
  const most = input.max === "" ? Infinity : Number(input.max);
  input.value = String(within(Number.parseInt(input.value || "0", 10) + Number(button.dataset.step), Number(input.min || 0), most));
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
