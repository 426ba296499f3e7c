import { name, suggest } from "./input";
import { pairOf } from "./pair";
import { typesFor } from "./types";

/** Shows a list that stands in the flow file. */
export interface ListWidget {
  /** The list as the flow file is to hold it; the very one that was given when nothing was changed. */
  value(): unknown;
}

/**
 * Makes the typed input of a list, and the list itself below it. Both live under ids of their own: Node-RED would
 * overwrite the list with the text of an input.
 */
export function ownList(
  node: EditorNode,
  property: string,
  make: (box: JQuery, value: unknown) => ListWidget,
): ListWidget {
  const { value, type } = pairOf(node, property);
  const isList = type === "list";
  const isObject = typeof value === "object" && value !== null;
  const text = isObject ? JSON.stringify(value) : String(value ?? "");
  const shown = { value: text, type: isObject && !isList ? "json" : type };
  const input = $(`#telephony-${property}`).val(isList ? "" : text);
  const typeField = `#node-input-${property}Type`;
  $(typeField).val(shown.type);
  input.typedInput({ default: shown.type, types: typesFor(node, property, shown), typeField });
  name(input);
  const box = $(`#telephony-${property}-list`);
  const list = make(box, isList ? value : []);
  const toggle = () => box.toggle(input.typedInput("type") === "list");
  input.on("change", toggle);
  input.on("typedinputtypechange", () => suggest(node, property, input));
  toggle();
  const widget: ListWidget = {
    value: () => (input.typedInput("type") === "list" ? list.value() : input.typedInput("value")),
  };
  input.data("telephony", widget);
  return widget;
}

/** What a list's input holds, where the dialog has one. */
export function listIn(property: string): ListWidget | undefined {
  return $(`#telephony-${property}`).data("telephony") as ListWidget | undefined;
}

/** Puts what the lists show into the node. */
export function saveLists(node: EditorNode): void {
  for (const property of Object.keys(node._def.defaults)) {
    const list = listIn(property);
    if (list) node[property] = list.value();
  }
}
