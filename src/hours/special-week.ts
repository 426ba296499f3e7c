import { MILLISECONDS_A_DAY, weekdayIndex } from "./dates";
import { type Exceptions, exceptionOn, exceptionsAround, type SpecialDay } from "./exceptions";
import type { Zone } from "./zone";

/** A day with an exception, in the week that is shown. */
export interface DayOfWeek extends SpecialDay {
  /** 0 is Monday. -1 is the Sunday before, whose last opening may reach into the week. */
  readonly day: number;
}

/** The days with an exception in the week of an instant, from the Sunday before it to its own. */
export function specialWeek(exceptions: Exceptions, zone: Zone, instant: number): DayOfWeek[] {
  const today = Math.floor((instant + zone.offsetPeriodAt(instant).offset) / MILLISECONDS_A_DAY);
  const around = exceptionsAround(exceptions, zone)(instant);
  const monday = today - weekdayIndex(today);
  return [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((day) => {
    const special = exceptionOn(around, monday + day);
    return special ? [{ day, ...special }] : [];
  });
}
