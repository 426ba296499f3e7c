export { type Calendar, calendar, type Verdict } from "./calendar";
export { readDate } from "./dates";
export { type Exceptions, readExceptionList, readExceptions } from "./exceptions";
export { HoursError, type HoursProblem } from "./hours-error";
export { formatInstant, readInstant, UTC_CLOCK, type WallClock } from "./instant";
export { type DayEntry, readDays, readGivenSchedule, readSchedule, type Schedule, WEEKDAYS } from "./schedule";
export { type DayOfWeek, specialWeek } from "./special-week";
export { opening, readGivenTime, readTime } from "./time-of-day";
export { hostZone, isSameZone, isZone, loadZone, type Zone } from "./zone";
