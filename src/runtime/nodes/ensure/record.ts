import { type DayEntry, readGivenSchedule, sameOpenings } from "../../../hours";
import { attempt } from "../../../json/rules";

/** What the tenant should have. */
export interface Wanted {
  readonly name: string;
  readonly enabled: boolean;
  readonly days: readonly DayEntry[];
}

/** A schedule as the tenant gives it. */
export interface ScheduleRecord {
  readonly id: number | string;
  readonly name: string;
}

/** Whether the value has an id that can be used in a path. */
export function isRecord(value: unknown): value is ScheduleRecord {
  const { id, name } = Object(value) as Partial<ScheduleRecord>;
  return (typeof id === "number" || typeof id === "string") && /^\d{1,18}$/.test(`${id}`) && typeof name === "string";
}

/** Whether the tenant's schedule is enabled and open as wanted. One that cannot be read completely is not. */
export function isAsWanted(record: ScheduleRecord, { enabled, days }: Wanted): boolean {
  const given = attempt(() => readGivenSchedule(record));
  return given !== undefined && !given.skipped && given.enabled === enabled && sameOpenings(given.days, days);
}
