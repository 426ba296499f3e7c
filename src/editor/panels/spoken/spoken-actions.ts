import type { ListWidget } from "../../inputs/list-input";
import { shared } from "../../words";
import { keepFocus, nameRemove } from "../list-rows";
import { readRow, type SpokenRow, showRow } from "./spoken-row";

const NEW_ROW: SpokenRow = { action: "talk", text: "", textType: "str" };

/** Makes the list of spoken actions of a call-out. */
export function spokenActions(box: JQuery, value: unknown): ListWidget {
  const list = box.children("ol");
  const changed = () => box.trigger("change");
  list.editableList({
    addItem: (item: JQuery, _: number, data: { row?: SpokenRow }) => {
      nameRemove(item);
      const text = showRow(item, data.row ?? NEW_ROW);
      if (data.row) return;
      data.row = NEW_ROW;
      text.typedInput("focus");
      changed();
    },
    removeItem: changed,
    addButton: shared("spoken.add"),
    sortable: true,
    removable: true,
    height: "auto",
    ariaLabelledBy: "telephony-actions-label",
  });
  keepFocus(list);
  for (const row of rowsOf(value)) list.editableList("addItem", { row });
  list.on("keydown", moveByKeyboard);
  return {
    value: () => {
      const rows: SpokenRow[] = [];
      list.editableList("items").each((_, item) => {
        const { row = NEW_ROW } = $(item).data("data") as { row?: SpokenRow };
        rows.push(readRow($(item), row));
      });
      return rows;
    },
  };
}

function rowsOf(value: unknown): SpokenRow[] {
  if (!Array.isArray(value)) return [];
  return value.filter((row): row is SpokenRow => typeof row === "object" && row !== null);
}

/** Moves a row by Alt and an arrow key, for those who cannot drag. */
function moveByKeyboard(event: JQuery.TriggeredEvent): void {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const target = $(event.target as HTMLElement);
  const item = target.closest("li");
  if (event.key === "ArrowUp") item.insertBefore(item.prev());
  else item.insertAfter(item.next());
  event.preventDefault();
  event.stopPropagation();
  target.trigger("focus");
}
