/** Chooses the device's own time zone in a list that was left as it came. */

export function ownZone(root, zone = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  for (const list of root.querySelectorAll("select[data-own-zone]")) {
    const offered = [...list.options].some((option) => option.value === zone);
    if (offered && list.value === "UTC") list.value = zone;
  }
}
