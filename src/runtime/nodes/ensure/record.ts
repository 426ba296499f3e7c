import type { DayEntry } from "../../../hours";
import { readGivenSchedule, sameOpenings } from "../../../hours";

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
  try {
    const given = readGivenSchedule(record);
    return !given.skipped && given.enabled === enabled && sameOpenings(given.days, days);
  } catch {
    return false;
  }
}
