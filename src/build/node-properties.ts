import { type Field, propertyName } from "../fields";
import type { Action } from "../runtime/actions/declaration";
import type { FieldNote } from "./field-note";

/** One property of a node: a single one, or a typed input's pair, which then has a `type`. */
export interface NodeProperty {
  readonly property: string;
  readonly start: unknown;
  /** Start value of the property's other half, `<property>Type`. */
  readonly type?: string;
  readonly note?: FieldNote;
  /** Type of the config node that the property names. */
  readonly config?: string;
}

/** Every property that a node with this declaration has in a flow file. */
export function nodeProperties(action: Action): NodeProperty[] {
  const modes = Object.keys(action.modes);
  const modeProperty = action.modeProperty ?? "mode";
  return [
    { property: "name", start: "" },
    { property: "tenant", start: "", config: "telephony-tenant" },
    ...(modes.length > 1
      ? [{ property: modeProperty, start: modes[0], note: { kind: "option", choices: modes } as const }]
      : []),
    ...fieldProperties(action),
    ...conditions(action),
    { property: "target", start: "payload", note: { kind: "property" } },
  ];
}

function fieldProperties(action: Action): NodeProperty[] {
  const modes = Object.entries(action.modes);
  const names = new Set(modes.flatMap(([, shape]) => Object.keys(shape.fields)));
  return [...names].map((name) => {
    const notes = modes.flatMap(([mode, { fields }]) =>
      fields[name] ? [[mode, note(name, fields[name])] as const] : [],
    );
    const property =
      modes.map(([, { fields }]) => fields[name]?.property).find((given) => given !== undefined) ?? propertyName(name);
    return { property, start: `payload.${name}`, type: "msg", note: merged(name, notes) };
  });
}

function note(name: string, field: Field): FieldNote {
  return {
    name,
    kind: field.kind,
    ...(field.required && { required: true }),
    ...(field.choices && { choices: field.choices }),
    ...(field.spellings && { spellings: field.spellings }),
    ...(field.default !== undefined && { default: String(field.default) }),
  };
}

/** One note where the modes agree; else what any mode offers, and each mode's own beside it. */
function merged(name: string, notes: readonly (readonly [string, FieldNote])[]): FieldNote {
  const [first] = notes;
  if (!first) throw new Error(`the field ${name} is in no mode`);
  if (notes.every(([, each]) => JSON.stringify(each) === JSON.stringify(first[1]))) return first[1];
  const real = notes.map(([, each]) => each).filter(({ kind }) => kind !== "onlyInMode");
  const choices = [...new Set(real.flatMap((each) => each.choices ?? []))];
  const kind = real[0]?.kind ?? "text";
  return { name, kind, ...(choices.length > 0 && { choices }), modes: Object.fromEntries(notes) };
}

/** What the actions that change something have besides: not after an instant, once only for a key. */
function conditions({ repeat }: Action): NodeProperty[] {
  if (repeat === "freely") return [];
  const notAfter: NodeProperty = { property: "notAfter", start: "", type: "str", note: { kind: "instant" } };
  if (repeat === "once") return [notAfter];
  return [
    notAfter,
    { property: "onceKey", start: "", type: "str", note: { kind: "text" } },
    { property: "onceFor", start: "86400", note: { kind: "seconds" } },
    { property: "onceScope", start: "node", note: { kind: "option", choices: ["node", "tenant"] } },
  ];
}
