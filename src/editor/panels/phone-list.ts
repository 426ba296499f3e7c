import { translate } from "../texts";
import { textBox } from "./controls";
import { rowsOf } from "./list-rows";

/** Makes the list of phone numbers of a tenant's guard. */
export const phoneList = rowsOf(showNumber, "exception.add");

/** Shows a number, or its beginning. A row that names its number keeps its other properties. */
function showNumber(item: JQuery, row: unknown): () => unknown {
  const isObject = typeof row === "object" && row !== null;
  const given = isObject ? (row as { number?: unknown }).number : row;
  const input = textBox(translate("guard.number"), given, { css: { width: "100%" } }).appendTo(item);
  if (row === undefined) input.trigger("focus");
  return () => {
    const number = String(input.val());
    return isObject ? { ...row, number } : number;
  };
}
