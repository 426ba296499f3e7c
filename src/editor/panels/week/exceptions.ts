import type { ListWidget } from "../../inputs/list-input";
import { shared } from "../../words";
import { keepFocus, nameRemove } from "../list-rows";
import { showException } from "./exception-row";

/** Makes the list of a gate's exceptions: holidays and other days that differ from the weekly hours. */
export function exceptionList(box: JQuery, value: unknown): ListWidget {
  const list = $("<ol>").appendTo(box);
  let touched = false;
  const changed = () => {
    touched = true;
    box.trigger("change");
  };
  list.editableList({
    addItem: (item: JQuery, _: number, data: { row?: object; read?: () => object }) => {
      nameRemove(item);
      data.read = showException(item, data.row, changed);
      if (!data.row) changed();
    },
    removeItem: changed,
    addButton: shared("exception.add"),
    removable: true,
    height: "auto",
    ariaLabelledBy: "telephony-exceptions-label",
  });
  keepFocus(list);
  for (const row of Array.isArray(value) ? value : []) list.editableList("addItem", { row: Object(row) });
  return { value: () => (touched ? rows() : value) };

  function rows(): object[] {
    return list
      .editableList("items")
      .toArray()
      .map((item) => ($(item).data("data") as { read(): object }).read());
  }
}
