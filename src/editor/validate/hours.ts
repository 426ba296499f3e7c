import { FieldError, fromHours } from "../../fields";
import { shared } from "../words";
import { refusal } from "./refusal";

/** What is wrong with a time or a date of the dialog, under the label of its field. */
export function hoursProblem(label: string, read: () => unknown): string | undefined {
  const error = refusal(FieldError, () => fromHours("", read));
  return error && shared(`errors.input.${error.key}`, { field: label, ...error.params });
}
