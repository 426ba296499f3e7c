import type { ReadList } from "../inputs/list-input";
import { translate } from "../texts";
import { textBox } from "./controls";
import { rowList } from "./list-rows";

/** Makes the list of phone numbers of a tenant's guard. */
export function phoneList(box: JQuery, value: unknown): ReadList {
  return rowList(box, value, showNumber, { addButton: translate("exception.add") });
}

/** Shows a number, or its beginning. A row that names its number keeps its other properties. */
function showNumber(item: JQuery, row: unknown, changed: () => void): () => unknown {
  const isObject = typeof row === "object" && row !== null;
  const given = isObject ? (row as { number?: unknown }).number : row;
  const input = textBox(translate("guard.number"), given, { css: { width: "100%" } }).appendTo(item);
  input.on("input", changed);
  if (row === undefined) input.trigger("focus");
  return () => {
    const number = String(input.val());
    return isObject ? { ...row, number } : number;
  };
}
