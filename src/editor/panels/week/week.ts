import { type DayEntry, opening, readGivenTime, WEEKDAYS } from "../../../hours";
import { attempt } from "../../../json/rules";

/** Minutes. */
export const DAY = 24 * 60;

/** Writes minutes since midnight as `08:30`. */
export function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

export type Times = Pick<DayEntry, "open" | "close">;

/** The openings of each day, Monday first. */
export type Week = readonly (readonly Times[])[];

/** Open minutes `[start, end)` of a week that begins with Monday; `end` may lie in the next one. */
export interface OpenSpan {
  readonly day: number;
  readonly times: Times;
  readonly start: number;
  readonly end: number;
}

/** The week that a list of day entries describes; entries of no known day are left out. */
export function weekOf(entries: unknown): Week {
  const list = Array.isArray(entries) ? entries : [];
  return WEEKDAYS.map((day) =>
    list
      .filter((entry) => weekdayOf(entry) === day)
      .map(({ open, close }) => ({ open: textOf(open), close: textOf(close) })),
  );
}

/** The entries of a week as the flow file holds them. */
export function entriesOf(week: Week): object[] {
  return week.flatMap((openings, index) => openings.map(({ open, close }) => ({ day: WEEKDAYS[index], open, close })));
}

export function weekdayOf(entry: unknown): string | undefined {
  const day = (entry as { day?: unknown } | null)?.day;
  return WEEKDAYS.find((known) => typeof day === "string" && day.trim() === known);
}

/** The openings that can be read, in the order of the week. Those of a schedule of the tenant may have seconds. */
export function openSpans(week: Week): OpenSpan[] {
  return week.flatMap((openings, day) =>
    openings.flatMap((times) => {
      const span = minutesOf(times);
      return span ? [{ day, times, start: day * DAY + span.open, end: day * DAY + span.close }] : [];
    }),
  );
}

/** An opening in minutes since midnight, `undefined` if it cannot be read. */
function minutesOf(times: Times): { open: number; close: number } | undefined {
  const read = attempt(() => opening(readGivenTime(times.open), readGivenTime(times.close)));
  return read && { open: read.open / 60, close: read.close / 60 };
}

/** Writes a time as people do: those that the service answers have seconds. */
export function textOf(time: unknown): string {
  return String(time ?? "").replace(/^(\d\d:\d\d):00$/, "$1");
}
