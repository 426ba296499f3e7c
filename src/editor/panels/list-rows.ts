import { shared } from "../words";

const REMOVE = ".red-ui-editableList-item-remove";

/** Labels the × of a row for screen readers. */
export function nameRemove(item: JQuery): void {
  item.siblings(REMOVE).attr("aria-label", shared("list.remove"));
}

/** Moves the focus from a removed row to the next row, or to the button that adds one. */
export function keepFocus(list: JQuery): void {
  list.on("click", REMOVE, ({ currentTarget }) => {
    const next = $(currentTarget).closest("li").nextAll(":not(.red-ui-editableList-item-deleting)").first();
    const inRow = next.find("input, select, button").filter(":visible");
    const add = list.closest(".red-ui-editableList").children(".red-ui-editableList-addButton");
    inRow.add(add).first().trigger("focus");
  });
}
