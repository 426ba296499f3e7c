import type { Verdict } from "./calendar";
import { dayOf, MILLISECONDS_A_DAY } from "./dates";

/** What a sentence needs of a verdict. */
export type Announced = Pick<Verdict, "open" | "closesAt" | "opensAt" | "exception" | "hasSpecialHours">;

/** What there is to say of a schedule at one instant. */
export interface Announcement {
  readonly open: boolean;
  /** The date of the next opening or closing time; `midnight` ends the same date. `null` where it is not known. */
  readonly day: "today" | "midnight" | "other" | null;
  /** Whether the exception has openings of its own. */
  readonly hasSpecialHours: boolean;
  /** That opening or closing time on the wall clock, as epoch milliseconds of a clock in UTC. */
  readonly wall: number;
  /** The name of the exception that holds, on one line. */
  readonly name: string | null;
}

/** Invisible marks of pasted text, which a voice may read out. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g;

/** The part of a name that is spoken, in whole characters. */
const SPOKEN_NAME = /^.{0,100}/su;

/**
 * Finds what to announce. All instants are texts with the offset of one zone.
 * @param checkedAt the instant of the verdict
 */
export function announcement(
  { open, closesAt, opensAt, exception, hasSpecialHours }: Announced,
  checkedAt: string,
): Announcement {
  const edge = open ? closesAt : opensAt;
  const wall = edge === null ? 0 : wallOf(edge);
  const midnight = (dayOf(wallOf(checkedAt)) + 1) * MILLISECONDS_A_DAY;
  const day =
    edge === null ? null : wall < midnight ? "today" : open && wall === midnight ? "midnight" : ("other" as const);
  return { open, day, hasSpecialHours: hasSpecialHours === true, wall, name: nameOf(exception) };
}

/** The wall clock of an instant, as epoch milliseconds of a clock in UTC. */
function wallOf(instant: string): number {
  return Date.parse(`${instant.slice(0, 19)}Z`);
}

/** A name comes from a flow or a calendar, and is spoken in the middle of a sentence. */
function nameOf(exception: string | null): string | null {
  const name = (exception ?? "")
    .slice(0, 1000)
    .replace(DIRECTION_MARKS, "")
    .replace(/[\p{Cc}\p{Z}]+/gu, " ");
  return SPOKEN_NAME.exec(name.trim())?.[0].trim() || null;
}
