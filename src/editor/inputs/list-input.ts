import { pairInput, shownPair } from "./input";
import { pairOf } from "./pair";
import { typesFor } from "./types";

/** Reads a list from the dialog, equal to the one of the flow file when nothing was changed. */
export type ReadList = () => unknown;

/** Makes the list in its place below the typed input. */
export type ListMaker = (box: JQuery, value: unknown) => ReadList;

/**
 * Makes the typed input of a list, and the list below it. Both have ids of their own: Node-RED would overwrite the list
 * with the text of an input.
 */
export function prepareList(node: EditorNode, property: string, makeList: ListMaker): void {
  const shown = shownPair(node, property);
  const isList = shown.type === "list";
  const input = $(`#telephony-${property}`).val(isList ? "" : shown.value);
  pairInput(node, property, input, shown.type, typesFor(node, property, shown));
  const box = $(`#telephony-${property}-list`);
  const list = makeList(box, isList ? pairOf(node, property).value : []);
  const toggle = () => box.toggle(input.typedInput("type") === "list");
  input.on("change", toggle);
  toggle();
  const read: ReadList = () => (input.typedInput("type") === "list" ? list() : input.typedInput("value"));
  input.data("telephony", read);
}

/** What reads a property that is a list in the dialog; `undefined` for any other. */
export function listReader(property: string): ReadList | undefined {
  return $(`#telephony-${property}`).data("telephony");
}

/** Stores the lists of the dialog in the node. */
export function saveLists(node: EditorNode): void {
  for (const property of Object.keys(node._def.defaults)) {
    const read = listReader(property);
    if (read) node[property] = read();
  }
}
