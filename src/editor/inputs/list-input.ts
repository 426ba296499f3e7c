import { typedInput } from "./input";
import { pairOf } from "./pair";

/** Reads a list, or a row of one, from the dialog. */
export type ReadList = () => unknown;

/** Makes the list in its place below the typed input. */
export type ListMaker = (box: JQuery, value: unknown) => ReadList;

/**
 * Makes the typed input of a list, and the list below it. Both have ids of their own: Node-RED would overwrite the list
 * with the text of an input.
 */
export function prepareList(node: EditorNode, property: string, makeList: ListMaker): void {
  const input = $(`#telephony-${property}`);
  typedInput(node, property, input);
  const box = $(`#telephony-${property}-list`);
  const { value, type } = pairOf(node, property);
  const given = type === "list" ? value : [];
  const list = untilChanged(given, makeList(box, given));
  const toggle = () => box.toggle(input.typedInput("type") === "list");
  input.on("change", toggle);
  toggle();
  const read: ReadList = () => (input.typedInput("type") === "list" ? list() : input.typedInput("value"));
  input.data("telephony", read);
}

/** Reads what the flow file has, as it is, while the dialog shows the same. */
export function untilChanged(given: unknown, read: ReadList): ReadList {
  const before = JSON.stringify(read());
  return () => {
    const now = read();
    return JSON.stringify(now) === before ? given : now;
  };
}

/** Returns the reader of a property that is a list in the dialog; `undefined` for any other. */
export function listReader(property: string): ReadList | undefined {
  return $(`#telephony-${property}`).data("telephony");
}

export function saveLists(node: EditorNode): void {
  for (const property of Object.keys(node._def.defaults)) {
    const read = listReader(property);
    if (read) node[property] = read();
  }
}
