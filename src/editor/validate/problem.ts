import { type Params, shownParams } from "../../fields";
import { pathLabel } from "../../fields/path-label";
import { refusal } from "../../hours/value-error";
import { inputId, isOpen } from "../inputs/pair";
import { nodeText, translate } from "../texts";

/** A sentence of the catalogue that names a field by its label in the dialog of a node. */
export function problemText(node: EditorNode | undefined, key: string, params: Params = {}): string {
  const { field, source } = params;
  const named = node &&
    typeof field === "string" && {
      field: fieldLabel(node, field),
      // A value without a source of its own is in the dialog.
      ...(source === field && { source: { word: "dialog" } as const }),
    };
  return translate(`errors.${key}`, { ...params, ...named });
}

/** Returns the reason why a check refuses a value, under the label of its input. */
export function refusalUnder(field: string, check: () => unknown): string | undefined {
  const error = refusal(check);
  return error && translate(`errors.${error.key}`, { ...shownParams(error), field });
}

/** The label of a property, which may depend on another choice in the open dialog. */
export function shownLabel(node: EditorNode, property: string): string {
  const id = inputId(node, property);
  const own = $(`label[for="${id}"] > span`);
  const label = own.length > 0 ? own : $(`#${id}`).closest(".telephony-row").find("> label > span");
  return (isOpen(node) && label.text()) || nodeText(node, `label.${property}`);
}

/** The label for the interface's name of a field: `actions[2].speed` is "Say or play, row 3: Speed". */
export function fieldLabel(node: EditorNode, field: string): string {
  const [name, property] = nameIn(node, field);
  const label = property === undefined ? foreignLabel(node, name) : shownLabel(node, property);
  return pathLabel(label, field.slice(name.length), translate);
}

/** The part of a field's name that is a property of the node, and that property. The interface's names take precedence. */
function nameIn(node: EditorNode, field: string): [name: string, property?: string] {
  const properties = Object.entries(node._def.defaults);
  const names = [
    ...properties.flatMap(([property, { field: note }]) => (note?.name === undefined ? [] : [[note.name, property]])),
    ...properties.map(([property]) => [property, property]),
  ] as [string, string][];
  const begins = ([name]: [string, string]) => field.startsWith(name) && /^([.[]|$)/.test(field.slice(name.length));
  return names.find(begins) ?? [field];
}

/** The label of a field that is not a property of the node: one of the tenant, or of the interface only. */
function foreignLabel(node: EditorNode, name: string): string {
  const key = `label.${name}`;
  const labels = [nodeText(node, key), translate(`telephony-tenant.${key}`)];
  return labels.find((label) => !label.endsWith(key)) ?? name;
}
