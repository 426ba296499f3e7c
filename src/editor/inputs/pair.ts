import type { Config, Pair } from "../../fields";
import { typed } from "../../fields/sources/property";

/** The pair that an absent one stands for: the path of a new node, or that of the field in the payload. */
export function absentPair(node: EditorNode, property: string): Pair {
  const { defaults } = node._def;
  const { field, value } = defaults[property] ?? {};
  const type = String(defaults[`${property}Type`]?.value ?? "str");
  if (field?.name === undefined) return { value: absentValue(defaults[property]), type };
  return { value: type === "msg" ? value : `payload.${field.name}`, type: "msg" };
}

export function absentValue({ absent, value }: Partial<EditorProperty> = {}): unknown {
  return absent ?? value ?? "";
}

/** A node's pair as the runtime reads it: an absent pair is the default one. */
export function pairOf(node: EditorNode, property: string): Pair {
  const value = node[property];
  return value === undefined ? absentPair(node, property) : typed(value, node[`${property}Type`]);
}

/** The value of a property in the open dialog, or else in the node. */
export function current(node: EditorNode, property: string): unknown {
  const input = isOpen(node) ? $(`#${inputId(node, property)}`) : $();
  return (input.is(":checkbox") ? input.prop("checked") : input.val()) ?? node[property];
}

/** The properties in the open dialog, or else in the node. */
export function shownConfig(node: EditorNode, changes: Config = {}): Config {
  const names = isOpen(node) ? Object.keys(node._def.defaults) : [];
  return { ...node, ...Object.fromEntries(names.map((name) => [name, current(node, name)])), ...changes };
}

/** The flow that a node belongs to, in the open dialog of a config node the chosen one; empty for none. */
export function flowOf(node: EditorNode): string {
  const chosen = isOpen(node) && node._def.category === "config" ? $("#red-ui-editor-config-scope").val() : undefined;
  return String(chosen ?? node["z"] ?? "");
}

/** The id of a property's input, which depends on whether the node is a config node. */
export function inputId(node: EditorNode, property: string): string {
  return `${node._def.category === "config" ? "node-config-input" : "node-input"}-${property}`;
}

/** Whether the dialog on the screen is that of this node: Node-RED validates other nodes meanwhile. */
export function isOpen(node: EditorNode): boolean {
  return RED.editor.getEditStack().includes(node);
}
