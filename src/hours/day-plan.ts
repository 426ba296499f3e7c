import { weekdayIndex } from "./dates";
import { type DayEntry, WEEKDAYS } from "./day-entries";
import { type Exceptions, exceptionOn, type SpecialDay } from "./exceptions";
import { type Opening, opening } from "./opening";

/** What a week and its exceptions say of single days, which are counted since 1970-01-01. */
export interface DayPlan {
  exceptionOn(day: number): SpecialDay | undefined;
  openingsOn(day: number): readonly Opening[];
}

export function dayPlan(days: readonly DayEntry[], exceptions: Exceptions): DayPlan {
  const week = WEEKDAYS.map((weekday) =>
    days.filter(({ day }) => day === weekday).map(({ open, close }) => opening(open, close)),
  );
  return {
    exceptionOn: (day) => exceptionOn(exceptions, day),
    openingsOn: (day) => exceptionOn(exceptions, day) ?? week[weekdayIndex(day)] ?? [],
  };
}
