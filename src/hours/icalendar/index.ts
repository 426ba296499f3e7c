export { isICalendar } from "./content-lines";
export { calendarSteps, type ICalendar, readICalendar } from "./read-icalendar";
export { recurrence } from "./recurrence";
export { type Closing, type Closings, resolver } from "./resolve";
export { atOnce } from "./steps";
