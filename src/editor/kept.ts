/* What dialogs use of what the editor has since its start: loaded with them, it would be there twice. */
export { FieldError, toNumber, VOICES } from "../fields";
export { HoursError, opening, readDate, readTime, WEEKDAYS } from "../hours";
export { ACCESS, shownAccess, shownText } from "./access";
export { mustache } from "./inputs/types";
export { addressProblem } from "./validate/address";
export { problemText } from "./validate/problem";
export { SAVED } from "./validate/token";
export { shared } from "./words";
