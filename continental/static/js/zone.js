/** Chooses the device's own time zone in a list that was left as it came. */

/** The name that this browser has for a zone: many still call Kolkata Calcutta. */
function canonical(zone) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return Symbol(zone);
  }
}

export function ownZone(root, zone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  for (const list of root.querySelectorAll("select[data-own-zone]")) {
    if (list.value !== "UTC") continue;
    const zones = [...list.options].map((option) => option.value);
    const name = canonical(zone);
    const own = zones.includes(zone) ? zone : zones.find((other) => canonical(other) === name);
    if (own) list.value = own;
  }
}
