import { type Params, shownParams } from "../../fields";
import { fieldLabel } from "../../fields/field-label";
import { refusal } from "../../hours/value-error";
import { inputId, isOpen } from "../inputs/pair";
import { nodeText, translate } from "../texts";

/** A sentence of the catalogue that names a field by its label in the dialog of a node. */
export function problemText(node: EditorNode | undefined, key: string, params: Params = {}): string {
  const { field, source } = params;
  const named = node &&
    typeof field === "string" && {
      field: labelIn(node, field),
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

/** The label of a property, which may depend on another choice in the open dialog; that of the tenant if only it has one. */
export function shownLabel(node: EditorNode, property: string): string {
  const id = inputId(node, property);
  const own = $(`label[for="${id}"] > span`);
  const label = own.length > 0 ? own : $(`#${id}`).closest(".telephony-row").find("> label > span");
  const key = `label.${property}`;
  const labels = [(isOpen(node) && label.text()) || nodeText(node, key), translate(`telephony-tenant.${key}`)];
  return labels.find((each) => !each.endsWith(key)) ?? property;
}

/** The label of a field. The interface's names take precedence over those of properties. */
export function labelIn(node: EditorNode, field: string): string {
  const properties = Object.entries(node._def.defaults);
  const names = properties.flatMap(([property, { field: note }]) =>
    note?.name ? [[note.name, property] as const] : [],
  );
  const rows = [...names, ...properties.map(([property]) => [property, property] as const)];
  return fieldLabel(field, rows, (property) => shownLabel(node, property), translate) ?? field;
}
