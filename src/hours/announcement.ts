import type { Verdict } from "./calendar";

/** What there is to say of a schedule at one instant. */
export interface Announcement {
  readonly open: boolean;
  /** Whether the next opening or closing time is on the same date. `null` where it is not known. */
  readonly day: "today" | "other" | null;
  /** That opening or closing time on the wall clock, as epoch milliseconds of a clock in UTC. */
  readonly wall: number;
  /** The name of the exception that holds, on one line. */
  readonly name: string | null;
}

/** The part of a name that is spoken, in whole characters. */
const SPOKEN_NAME = /^.{0,100}/su;

/**
 * Finds what to announce. All instants are texts with the offset of one zone.
 * @param checkedAt the instant of the verdict
 */
export function announcement(
  { open, closesAt, opensAt, exception }: Pick<Verdict, "open" | "closesAt" | "opensAt" | "exception">,
  checkedAt: string,
): Announcement {
  const edge = open ? closesAt : opensAt;
  const day = edge === null ? null : dateOf(edge) === dateOf(checkedAt) ? "today" : "other";
  return { open, day, wall: edge === null ? 0 : Date.parse(`${edge.slice(0, 19)}Z`), name: nameOf(exception) };
}

function dateOf(instant: string): string {
  return instant.slice(0, 10);
}

/** A name comes from a flow or a calendar, and is spoken in the middle of a sentence. */
function nameOf(exception: string | null): string | null {
  const name = (exception ?? "").slice(0, 1000).replace(/[\p{Cc}\p{Z}]+/gu, " ");
  return SPOKEN_NAME.exec(name.trim())?.[0].trim() || null;
}
