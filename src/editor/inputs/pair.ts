/** A typed input's pair. */
export interface Pair {
  readonly value: unknown;
  readonly type: string;
}

/** The pair that an absent one stands for: the interface's own place in the payload, or what a new node has. */
export function absentPair(node: EditorNode, property: string): Pair {
  const { defaults } = node._def;
  const name = defaults[property]?.field?.name;
  if (name !== undefined) return { value: `payload.${name}`, type: "msg" };
  return { value: defaults[property]?.value ?? "", type: String(defaults[`${property}Type`]?.value ?? "str") };
}

/** A node's pair as the runtime reads it: absent means the default, no type means a text. */
export function pairOf(node: EditorNode, property: string): Pair {
  const value = node[property];
  if (value === undefined) return absentPair(node, property);
  return { value, type: String(node[`${property}Type`] || "str") };
}

/** The pair as the open dialog has it, else as the node has it. */
export function currentPair(node: EditorNode, property: string, value: unknown = current(node, property)): Pair {
  const type = isOpen(node) ? $(`#node-input-${property}Type`).val() : undefined;
  if (value === undefined) return absentPair(node, property);
  return { value, type: String(type ?? (node[`${property}Type`] || "str")) };
}

/** A single property as the open dialog has it, else as the node has it. */
export function current(node: EditorNode, property: string): unknown {
  const shown = isOpen(node) ? $(`#node-input-${property}`).val() : undefined;
  return shown ?? node[property];
}

/** Whether the dialog on the screen is this node's: others are checked meanwhile too. */
export function isOpen(node: EditorNode): boolean {
  return RED.editor.getEditStack().includes(node);
}
