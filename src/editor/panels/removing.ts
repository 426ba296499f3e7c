import { shared } from "./kept";

const REMOVE = ".red-ui-editableList-item-remove";

/** Names the × of a row for those who cannot see it. */
export function nameRemove(item: JQuery): void {
  item.siblings(REMOVE).attr("aria-label", shared("list.remove"));
}

/** Keeps the focus in a list when a row goes: it moves on to the next row, or to the button that adds one. */
export function keepFocus(list: JQuery): void {
  list.on("click", REMOVE, ({ currentTarget }) => {
    const next = $(currentTarget).closest("li").nextAll(":not(.red-ui-editableList-item-deleting)").first();
    const inRow = next.find("input, select, button").filter(":visible");
    const add = list.closest(".red-ui-editableList").children(".red-ui-editableList-addButton");
    inRow.add(add).first().trigger("focus");
  });
}
