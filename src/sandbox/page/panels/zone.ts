/** The time zone in which the page shows the time: the tenant's, if the address names it, else the browser's. */
const zone = knownZone(new URLSearchParams(location.search).get("zone"));

// Sweden writes times as ISO 8601 does.
const wallClock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });

/** The wall clock at an instant, as epoch milliseconds of a clock in UTC. */
export function wallAt(instant: number): number {
  return Date.parse(`${wallClock.format(instant).replace(" ", "T")}Z`);
}

function knownZone(given: string | null): string {
  try {
    if (given) return new Intl.DateTimeFormat("en-US", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    // Not a time zone of this browser.
  }
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
