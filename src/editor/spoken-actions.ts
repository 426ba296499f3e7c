import { name } from "./input";
import { pairOf } from "./pair";
import { readRow, type SpokenRow, showRow } from "./spoken-row";
import { typesFor } from "./types";
import { shared } from "./words";

/** The widgets live under ids of their own: Node-RED would overwrite the list with the text of an input. */
const INPUT = "#telephony-actions";
const LIST = "#telephony-spoken-list";
const NEW_ROW: SpokenRow = { action: "talk", text: "", textType: "str" };

/** Makes the list of spoken actions of a call-out, and the input that may take them from elsewhere. */
export function spokenActions(node: EditorNode): void {
  const { value, type } = pairOf(node, "actions");
  const isList = type === "list";
  // A list without a type is one all the same; JSON is how a dialog can show it.
  const shown = {
    value: typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? ""),
    type,
  };
  if (!isList && typeof value === "object") shown.type = "json";
  const input = $(INPUT).val(isList ? "" : shown.value);
  $("#node-input-actionsType").val(shown.type);
  input.typedInput({
    default: shown.type,
    types: typesFor(node, "actions", shown),
    typeField: "#node-input-actionsType",
  });
  name(input);
  const list = $(LIST);
  list.editableList({
    addItem: (item: JQuery, _: number, data: { row?: SpokenRow }) => {
      data.row ??= NEW_ROW;
      showRow(item, data.row);
    },
    addButton: shared("spoken.add"),
    sortable: true,
    removable: true,
    height: "auto",
    ariaLabelledBy: "telephony-actions-label",
  });
  for (const row of rowsOf(isList ? value : undefined)) list.editableList("addItem", { row });
  list.on("keydown", moveByKeyboard);
  const toggle = () => $("#telephony-spoken").toggle(input.typedInput("type") === "list");
  input.on("change", toggle);
  toggle();
}

/** Puts what the list shows into the node. */
export function saveSpokenActions(node: EditorNode): void {
  const input = $(INPUT);
  if (input.typedInput("type") !== "list") {
    node["actions"] = input.typedInput("value");
    return;
  }
  const rows: SpokenRow[] = [];
  $(LIST)
    .editableList("items")
    .each((_, item) => {
      const { row = NEW_ROW } = $(item).data("data") as { row?: SpokenRow };
      rows.push(readRow($(item), row));
    });
  node["actions"] = rows;
}

function rowsOf(value: unknown): SpokenRow[] {
  if (!Array.isArray(value)) return [];
  return value.filter((row): row is SpokenRow => typeof row === "object" && row !== null);
}

/** Dragging is for mice: Alt with an arrow moves a row as well. */
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
