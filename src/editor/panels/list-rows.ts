import { type ListMaker, type ReadList, untilChanged } from "../inputs/list-input";
import { translate } from "../texts";

const REMOVE = ".red-ui-editableList-item-remove";

/**
 * Shows a row in an item of a list.
 * @param row the row of the flow file, `undefined` for a new one
 * @returns a function that reads the row from the dialog
 */
type ShowRow = (item: JQuery, row: unknown) => ReadList;

/** Makes a list of rows, which users add, remove and may put into another order. */
export function rowsOf(
  showRow: ShowRow,
  add: "exception.add" | "people.add" | "spoken.add",
  sortable = false,
): ListMaker {
  return (box, value) => {
    const list = $("<ol>").prependTo(box);
    const changed = () => box.trigger("change");
    list.editableList({
      addItem: (item: JQuery, _: number, data: { row?: unknown; read?: ReadList }) => {
        item.siblings(REMOVE).attr("aria-label", translate("list.remove"));
        const read = showRow(item, data.row);
        data.read = data.row === undefined ? read : untilChanged(data.row, read);
        if (data.row === undefined) changed();
      },
      removeItem: changed,
      removable: true,
      height: "auto",
      addButton: translate(add),
      ariaLabelledBy: box.attr("id")?.replace(/list$/, "label"),
      sortable,
    });
    if (sortable) list.on("keydown", "li", moveByKeyboard);
    list.on("click", REMOVE, ({ currentTarget }) => focusAfter($(currentTarget).closest("li")));
    for (const row of Array.isArray(value) ? value : []) list.editableList("addItem", { row });
    const items = () => list.editableList("items").toArray();
    return () => items().map((item) => ($(item).data("data") as { read: ReadList }).read());
  };
}

/**
 * The row with what has changed in the dialog. Its other properties stay as the flow file has them.
 * @param absent what absent properties stand for
 */
export function withChanges<Row extends Readonly<Record<string, unknown>>>(
  row: Row,
  shown: object,
  absent: object,
): Row {
  const before: Readonly<Record<string, unknown>> = { ...absent, ...row };
  const changed = Object.entries(shown).filter(([key, value]) => String(before[key] ?? "") !== value);
  return { ...row, ...Object.fromEntries(changed) };
}

/** Moves a row by Alt and an arrow key, for those who cannot drag. In a menu or a date, these keys open its choices. */
function moveByKeyboard(event: JQuery.TriggeredEvent): void {
  if (
    !event.altKey ||
    (event.key !== "ArrowUp" && event.key !== "ArrowDown") ||
    $(event.target).is("select, [type=date]")
  )
    return;
  const item = $(event.currentTarget as HTMLElement);
  if (event.key === "ArrowUp") item.insertBefore(item.prev());
  else item.insertAfter(item.next());
  event.preventDefault();
  event.stopPropagation();
  $(event.target as HTMLElement).trigger("focus");
}

/** Moves the focus from a removed row to the next row, or to the button that adds one. */
function focusAfter(item: JQuery): void {
  const next = item.nextAll(":not(.red-ui-editableList-item-deleting)").first();
  const inRow = next.find("input, select, button").filter(":visible");
  const add = item.closest(".red-ui-editableList").children(".red-ui-editableList-addButton");
  inRow.add(add).first().trigger("focus");
}
