/** The time zone in which the page reads the sandbox's clock: the tenant's, if the address names it, else the browser's. */
export const zone = knownZone(new URLSearchParams(location.search).get("zone"));

// Sweden writes times as ISO 8601 does.
const wallClock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });

/** The wall clock at an instant, as epoch milliseconds of a clock in UTC. */
export function wallAt(instant: number): number {
  return Date.parse(`${wallClock.format(instant).replace(" ", "T")}Z`);
}

/** An instant at which the wall clock shows that time. */
export function instantAt(wall: number): number {
  const guess = wall - (wallAt(wall) - wall);
  return guess + (wall - wallAt(guess));
}

function knownZone(given: string | null): string {
  try {
    if (given) return new Intl.DateTimeFormat("en-US", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    // Not a time zone of this browser.
  }
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
