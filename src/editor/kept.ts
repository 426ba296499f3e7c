/* What dialogs use of what the editor has since its start: loaded with them, it would be there twice. */
export { VOICES } from "../fields/kinds/actions";
export { toNumber } from "../fields/kinds/coerce";
export { FieldError } from "../fields/problem";
export { readDate } from "../hours/dates";
export { WEEKDAYS } from "../hours/day-entries";
export { HoursError } from "../hours/hours-error";
export { opening } from "../hours/opening";
export { readTime } from "../hours/time-of-day";
export { ACCESS, shownAccess, shownText } from "./access";
export { mustache } from "./inputs/types";
export { addressProblem } from "./validate/address";
export { problemText } from "./validate/problem";
export { SAVED } from "./validate/token";
export { shared } from "./words";
