import { FieldError } from "../problem";
import { quote } from "../quote";
import type { Pair } from "./property";

/**
 * The value of a pair of type `str`, `num`, `bool` or `json`. The literal of a number is kept, since a leading zero
 * belongs to it; the field checks what it needs.
 * @throws FieldError `notJson`
 */
export function literalOf({ value, type }: Pair, field: string): unknown {
  if (typeof value !== "string") return value;
  if (type === "bool") return value === "true" ? true : value === "false" ? false : value;
  if (type !== "json") return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new FieldError("notJson", field, { value: quote(value) });
  }
}
