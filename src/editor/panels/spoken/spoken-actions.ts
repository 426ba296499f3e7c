import type { ReadList } from "../../inputs/list-input";
import { translate } from "../../texts";
import { rowList } from "../list-rows";
import { showSpokenRow } from "./spoken-row";

/** Makes the list of spoken actions of a call-out. */
export function spokenActions(box: JQuery, value: unknown): ReadList {
  const rows = Array.isArray(value) ? value.filter((row) => typeof row === "object" && row !== null) : [];
  box.on("keydown", "li", moveByKeyboard);
  return rowList(box, rows, showSpokenRow, {
    addButton: translate("spoken.add"),
    ariaLabelledBy: "telephony-actions-label",
    sortable: true,
  });
}

/** Moves a row by Alt and an arrow key, for those who cannot drag. */
function moveByKeyboard(event: JQuery.TriggeredEvent): void {
  if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
  const item = $(event.currentTarget as HTMLElement);
  if (event.key === "ArrowUp") item.insertBefore(item.prev());
  else item.insertAfter(item.next());
  event.preventDefault();
  event.stopPropagation();
  $(event.target as HTMLElement).trigger("focus");
}
