export { ValueError, type ValueKey } from "../hours/value-error";
export * from "./field";
export { readActions, type SpokenAction, VOICES } from "./kinds/actions";
export { calendarAddress } from "./kinds/calendar-address";
export {
  FORBIDDEN_KEYS,
  isGiven,
  toBoolean,
  toChoice,
  toId,
  toNumber,
  toPositiveInteger,
  toText,
} from "./kinds/coerce";
export { toDayList, toExceptions, toInstant, toLocalInstant, toNotBefore, toSchedule, toZone } from "./kinds/hours";
export { type Person, readPeople } from "./kinds/people";
export { preview, UNKNOWN_ID } from "./preview";
export { maskNumbers, oneLine, quote, reasonOf } from "./quote";
export { type Reader, reader } from "./reader";
export { follow, isForbidden, type Path, withoutRoot } from "./sources/path";
export { type Config, type Pair, pairOf, propertyName } from "./sources/property";
export { type CalendarSource, type Host, type Source, source } from "./sources/source";
export type { ErrorKey, StatusKey, TextKey, WordKey } from "./text-key";
export { inField, shownParams, valueError } from "./value-error";
export { DIALOG, type Params } from "./word";
