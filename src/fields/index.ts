export { FORBIDDEN_KEYS, isGiven } from "./coerce";
export * from "./field";
export { fromHours } from "./from-hours";
export { isForbidden, type Path } from "./path";
export { FieldError } from "./problem";
export { type Pair, propertyName } from "./property";
export { maskNumbers, oneLine, quote } from "./quote";
export { type Config, pairOf, type Reader, reader } from "./reader";
export { type Host, type Source, source } from "./source";
