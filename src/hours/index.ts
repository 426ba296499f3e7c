export { type Calendar, calendar, type Verdict } from "./calendar";
export { type DayEntry, readDays, WEEKDAYS } from "./day-entries";
export type { Exceptions } from "./exceptions";
export { HoursError, type HoursProblem } from "./hours-error";
export { formatInstant, readInstant } from "./instant";
export { readExceptions } from "./read-exceptions";
export { readSchedule, type Schedule } from "./schedule";
export { readTime } from "./time-of-day";
export { hostZone, isSameZone, isZone, loadZone, type Zone } from "./zone";
