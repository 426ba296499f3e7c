import { type DayEntry, readDays } from "./day-entries";
import { HoursError } from "./hours-error";
import { isAbsent, isRecord, own, parsed } from "./untrusted";

/** A business hour of the service, or one that a flow made itself. */
export interface Schedule {
  readonly id: number | string | null;
  readonly name: string | null;
  readonly enabled: boolean;
  readonly days: readonly DayEntry[];
}

/**
 * A schedule from an object or its JSON text. It is on unless `enabled`, or else `enable` (the name in the service's
 * answers), says otherwise.
 * @throws HoursError `scheduleExpected`, `json`, `textLong`, `enabledFormat`, `daysMissing`, and those of {@link readDays}
 */
export function readSchedule(value: unknown): Schedule {
  const given = parsed(value, "");
  if (!isRecord(given)) throw new HoursError("scheduleExpected", "", { value: given });
  const id = own(given, "id", "id");
  const name = own(given, "name", "name");
  const days = own(given, "days", "days");
  if (isAbsent(days)) throw new HoursError("daysMissing", "days");
  return {
    id: typeof id === "number" || typeof id === "string" ? id : null,
    name: typeof name === "string" ? name : null,
    enabled: readEnabled(given),
    days: readDays(days, "days"),
  };
}

function readEnabled(schedule: object): boolean {
  for (const key of ["enabled", "enable"]) {
    const value = own(schedule, key, key);
    if (!isAbsent(value)) return readSwitch(value, key);
  }
  return true;
}

function readSwitch(value: unknown, path: string): boolean {
  const word = typeof value === "string" && value.length <= 16 ? value.trim() : value;
  if (word === true || word === 1 || word === "true" || word === "1" || word === "on") return true;
  if (word === false || word === 0 || word === "false" || word === "0" || word === "off") return false;
  throw new HoursError("enabledFormat", path, { value });
}
