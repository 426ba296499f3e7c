export { decoded, isICalendar } from "./content-lines";
export { calendarSteps, type ICalendar } from "./read-icalendar";
export { recurrence } from "./recurrence";
export type { Closing, Closings } from "./resolve";
export { lastOf } from "./resolve";
export { atOnce } from "./steps";
