import type { NodeAPI } from "node-red";
import type { Fields, Params } from "../../fields";
import { pathLabel } from "../../fields/path-label";
import { propertyName } from "../../fields/sources/property";
import { found, shared } from "./catalogue";

/** A node type that may have fields: in one shape, or in one for each of its modes. */
export interface Labelled {
  readonly type: string;
  readonly shape?: { readonly fields: Fields };
  readonly modes?: Readonly<Record<string, { readonly fields: Fields }>>;
}

/** The fields of a node type in each of its modes. */
export function fieldsByMode({ shape, modes }: Omit<Labelled, "type">): readonly Fields[] {
  return Object.values({ shape, ...modes }).flatMap((each) => (each ? [each.fields] : []));
}

/**
 * A field as a sentence names it: by its label in the dialog, with the interface's name behind it, as in "Number to call
 * (to.number)". A field without a label keeps its name.
 * @param field the interface's name of a request field, or a property of the node or its tenant
 */
function fieldLabel(RED: NodeAPI, labelled: Labelled, field: string): string {
  const [name, property] = nameIn(labelled, field);
  const keys = [`${labelled.type}.label.${property}`, `label.${property}`, `telephony-tenant.label.${property}`];
  const own = keys.map((key) => found(RED, key)).find((label) => label !== undefined);
  if (own === undefined) return field;
  const label = pathLabel(own, field.slice(name.length), (key, params) => shared(RED, key, params));
  const isSame = label.toLowerCase() === field.toLowerCase();
  return isSame ? label : shared(RED, "pattern.aside", { text: label, aside: field });
}

/** The values of a sentence, with its field as a reader knows it. */
export function withLabel(RED: NodeAPI, labelled: Labelled, params: Params): Params {
  const { field } = params;
  return typeof field === "string" ? { ...params, field: fieldLabel(RED, labelled, field) } : params;
}

/** The part of a field's name that the dialog has a row for, and the property of that row. */
function nameIn(labelled: Labelled, field: string): [name: string, property: string] {
  for (const fields of fieldsByMode(labelled))
    for (const [name, { property = propertyName(name) }] of Object.entries(fields))
      if (field.startsWith(name) && /^([.[]|$)/.test(field.slice(name.length))) return [name, property];
  const [name = field] = /^[^.[]+/.exec(field) ?? [];
  return [name, name];
}
