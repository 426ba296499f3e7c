export { calendar, type Edge, NO_TIMES, type Offsets, type Verdict } from "./calendar";
export { readDate } from "./dates";
export { type Exceptions, exceptionSteps, NO_EXCEPTIONS, readExceptionList, readExceptions } from "./exceptions";
export {
  type DayOfWeek,
  daysMarkedFree,
  type Holidays,
  holidaysOf,
  isEmpty,
  specialWeek,
} from "./holidays";
export { formatInstant, instantFormatter, readInstant, UTC_CLOCK, type WallClock } from "./instant";
export { type DayEntry, readDays, readGivenSchedule, readSchedule, type Schedule, WEEKDAYS } from "./schedule";
export { sameOpenings } from "./spans";
export { opening, readGivenTime, readTime } from "./time-of-day";
export { ValueError } from "./value-error";
export { hostZone, isSameZone, isZone, loadZone, readHostZone, type Zone } from "./zone";
