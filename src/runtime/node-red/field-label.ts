import type { NodeAPI } from "node-red";
import type { Fields, Params } from "../../fields";
import { fieldLabel } from "../../fields/field-label";
import { propertyName } from "../../fields/sources/property";
import { found, shared } from "./catalogue";

/** A node type that may have fields: in one shape, or in one for each of its modes. */
export interface Labelled {
  readonly type: string;
  readonly shape?: { readonly fields: Fields };
  readonly modes?: Readonly<Record<string, { readonly fields: Fields }>>;
}

export function fieldsByMode({ shape, modes }: Omit<Labelled, "type">): readonly Fields[] {
  return Object.values({ shape, ...modes }).flatMap((each) => (each ? [each.fields] : []));
}

/**
 * A field as a sentence names it: by its label in the dialog, with the interface's name behind it, as in "Number to call
 * (to.number)". A field without a label keeps its name.
 * @param field the interface's name of a request field, or a property of the node or its tenant
 */
function named(RED: NodeAPI, labelled: Labelled, field: string): string {
  const rows = fieldsByMode(labelled).flatMap((fields) =>
    Object.entries(fields).map(([name, { property = propertyName(name) }]) => [name, property] as const),
  );
  const labelOf = (property: string) =>
    [`${labelled.type}.label`, "label", "telephony-tenant.label"]
      .map((key) => found(RED, `${key}.${property}`))
      .find((label) => label !== undefined);
  const label = fieldLabel(field, rows, labelOf, (key, params) => shared(RED, key, params)) ?? field;
  const isSame = label.toLowerCase() === field.toLowerCase();
  return isSame ? label : shared(RED, "pattern.aside", { text: label, aside: field });
}

/** The values of a sentence, with its field as a reader knows it. */
export function withLabel(RED: NodeAPI, labelled: Labelled, params: Params): Params {
  const { field } = params;
  return typeof field === "string" ? { ...params, field: named(RED, labelled, field) } : params;
}
