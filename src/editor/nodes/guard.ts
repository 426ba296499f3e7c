import { prepareList } from "../inputs/list-input";
import { textBox } from "../panels/controls";
import { rowsOf } from "../panels/list-rows";
import { followPreview, showLine } from "../panels/server/preview";
import { translate } from "../texts";

const phoneList = rowsOf(showNumber, "exception.add");

/** Prepares the lists of a tenant's guard, and shows whether a number that the user types would be called. */
export function prepareGuard(node: EditorNode): void {
  for (const property of ["allow", "block"]) prepareList(node, property, phoneList);
  const [number, verdict] = [$("#telephony-tryNumber"), $("#telephony-tried")];
  followPreview(node, {
    what: "guard",
    area: verdict,
    more() {
      const typed = String(number.val()).trim();
      return typed === "" ? undefined : { number: typed };
    },
    show: ({ lines }) => showLine(verdict, lines[0]),
  });
}

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
