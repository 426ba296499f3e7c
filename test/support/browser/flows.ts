import { type Fields, pairOf, propertyName } from "../../../src/fields";
import { fieldsByMode } from "../../../src/runtime/node-red/field-label";
import { actionOf } from "../node-types";

type Node = Readonly<Record<string, unknown>>;

/** A flow file, in which nodes need places; a config node has none. */
export function flowOf(nodes: readonly Node[], tenants: readonly Node[] = [SANDBOX]): Node[] {
  const placed = nodes.map((node, index) => ({
    z: "flow-tab",
    x: 200,
    y: 60 + index * 60,
    wires: [[]],
    tenant: "tenant-1",
    ...node,
  }));
  return [{ id: "flow-tab", type: "tab", label: "Flow" }, ...tenants, ...placed];
}

export const SANDBOX: Node = {
  id: "tenant-1",
  type: "telephony-tenant",
  name: "",
  mode: "sandbox",
  fromNumber: "0000000000",
};

/** A live tenant. Its address answers nothing. */
export const LIVE = {
  id: "tenant-2",
  type: "telephony-tenant",
  name: "Acme",
  mode: "live",
  url: "https://acme.example.com",
} as const;

/** An Inject node that is pressed with a POST to `/inject/<id>`. */
export function inject(id: string, to: string): Node {
  return { id, type: "inject", props: [], tenant: undefined, wires: [[to]] };
}

/** The typed inputs of properties, all of one type. */
export function pairs(type: string, values: Node): Node {
  return Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) => ({ [name]: value, [`${name}Type`]: type })),
  );
}

/** The id of an input of a config node's dialog. */
export function configInput(property: string): string {
  return `#node-config-input-${property}`;
}

/** Returns what a node's fields mean to the runtime, however they are written: the pair of each, its default where there is none. */
export function meaning(node: Node): Record<string, unknown> {
  const action = actionOf(node["type"]);
  const fields: Fields = Object.assign({}, ...fieldsByMode(action));
  const mode = node["mode"] || Object.keys(action.modes ?? {})[0];
  const pairs = Object.entries(fields).map(([name, field]) => {
    const { value, type } = pairOf(node, field.property ?? propertyName(name)) ?? {
      value: `payload.${name}`,
      type: "msg",
    };
    return [name, value === "" ? "not given" : `${type} ${plain(value, type)}`];
  });
  return { mode, ...Object.fromEntries(pairs), notAfter: node["notAfter"] ?? "", onceKey: node["onceKey"] ?? "" };
}

/** A list is the same list as its JSON, and an expression the same with other blanks. */
function plain(value: unknown, type: string): string {
  if (typeof value === "object") return JSON.stringify(value);
  return type === "jsonata" ? String(value).replace(/\s+/g, " ") : String(value);
}
