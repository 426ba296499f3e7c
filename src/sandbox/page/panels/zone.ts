/** The time zone in which the page reads the sandbox's clock: the tenant's, if the address names it, else the browser's. */
export const zone = knownZone(new URLSearchParams(location.search).get("zone"));

/** The wall clock at an instant, as epoch milliseconds of a clock in UTC. */
export function wallAt(instant: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const part = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
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
