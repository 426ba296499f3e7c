/* What dialogs use of what the editor has since its start: loaded with them, it would be there twice. */
export { VOICES } from "../fields/actions";
export { toNumber } from "../fields/coerce";
export { FieldError } from "../fields/problem";
export { readDate } from "../hours/dates";
export { WEEKDAYS } from "../hours/day-entries";
export { HoursError } from "../hours/hours-error";
export { opening } from "../hours/opening";
export { readTime } from "../hours/time-of-day";
export { ACCESS, shownAccess, shownText } from "./access";
export { addressProblem } from "./address";
export { problemText } from "./problem";
export { SAVED } from "./token";
export { mustache } from "./types";
export { shared } from "./words";
