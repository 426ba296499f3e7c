import type { HoursError } from "../../hours";
import { FieldError } from "../problem";
import { quote } from "../quote";

/** What the schedules' own readers refuse, as a problem of the field: its values as every other error quotes them. */
export function hoursProblem(field: string, { key, path, params }: HoursError): FieldError {
  const place = /^$|^\[/.test(path) ? path : `.${path}`;
  const quoted = Object.entries(params).map(([name, value]) => [name, quote(value)]);
  return new FieldError(`hours.${key}`, field + place, Object.fromEntries(quoted));
}
