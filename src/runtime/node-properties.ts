import { TENANT_SETTINGS } from "../client/settings";
import { type Field, type Fields, propertyName } from "../fields";
import type { FieldNote } from "../fields/note";
import type { Setting, Settings } from "../fields/setting";
import { fieldsByMode } from "./node-red/field-label";
import { conditionSettings } from "./nodes/action/conditions";
import type { Action } from "./nodes/action/declaration";
import { modeSettings } from "./nodes/action/modes";
import { CONTROL_SETTINGS } from "./nodes/control/command";
import { ESCALATION_SETTINGS, fieldsOf } from "./nodes/escalate/declaration";
import { GATE_PAIRS, GATE_SETTINGS } from "./nodes/gate/settings";
import { LIST_SETTINGS, LIST_SOURCE, NUMBER_SOURCE } from "./nodes/list/settings";
import { TRIGGER_PAIRS, TRIGGER_SETTINGS } from "./nodes/trigger/settings";
import { WEBHOOK_SETTINGS } from "./nodes/webhook/settings";
import type { NodeDeclaration } from "./register";

/** One property of a node in a flow file: a single one, or a typed input's pair, which then has a `type`. */
export interface NodeProperty {
  readonly property: string;
  readonly start: unknown;
  /** The meaning of an absent property, where a new node starts with another value. */
  readonly absent?: string;
  /** Start value of the pair's other half, `<property>Type`. */
  readonly type?: string;
  /** The rule of a property that is the same for every message. */
  readonly setting?: Setting;
  /** The rule of a pair. */
  readonly field?: FieldNote;
  /** A rule that only Node-RED's editor can check: the path of a message property, or a config node that is usable. */
  readonly check?: "property" | "tenant" | "config";
  /** Type of the config node that the property names. */
  readonly config?: string;
  /** Whether the config node may be left out. */
  readonly optional?: true;
}

/** The properties that Node-RED itself writes into every node of a flow file. */
const NODE_RED_PROPERTIES: readonly string[] = [
  ...["id", "type", "z", "g", "d", "x", "y", "w", "h", "l", "wires", "info", "icon", "credentials", "env"],
  ...["inputs", "outputs", "inputLabels", "outputLabels"],
];

/** The names of all properties that a flow file may have for a node. */
export function knownProperties(node: NodeDeclaration): readonly string[] {
  const own = nodeProperties(node).flatMap(({ property, type }) =>
    type === undefined ? [property] : [property, `${property}Type`],
  );
  return [...NODE_RED_PROPERTIES, ...own];
}

const NAME: NodeProperty = { property: "name", start: "" };
const TENANT: NodeProperty = { property: "tenant", start: "", config: "telephony-tenant", check: "tenant" };

/** Lists every property that a node has in a flow file, from its declaration. */
export function nodeProperties(node: NodeDeclaration): NodeProperty[] {
  switch (node.kind) {
    case "action":
      return actionProperties(node);
    case "list":
      return [
        NAME,
        TENANT,
        { ...pair("list", "rows", LIST_SOURCE.list, LIST_SOURCE.listType), field: { kind: "rows", required: true } },
        ...fieldProperties([node.shape.fields]).map((each) =>
          each.property === "toNumber" ? { ...each, start: NUMBER_SOURCE.toNumber } : each,
        ),
        pair("once", "text"),
        ...settings(LIST_SETTINGS),
      ];
    case "escalation":
      return [NAME, TENANT, ...fieldProperties([fieldsOf(node)]), ...settings(ESCALATION_SETTINGS)];
    case "gate":
      return [NAME, TENANT, ...pairs(GATE_PAIRS), ...settings(GATE_SETTINGS)];
    case "trigger":
      return [NAME, TENANT, ...pairs(TRIGGER_PAIRS), ...settings(TRIGGER_SETTINGS)];
    case "control":
      return [NAME, TENANT, ...settings(CONTROL_SETTINGS), pair("key", "text")];
    case "webhook":
      return [NAME, ...settings(WEBHOOK_SETTINGS)];
    case "tenant":
      return [
        NAME,
        ...settings(TENANT_SETTINGS),
        pair("allow", "phoneList", [], "list"),
        pair("block", "phoneList", [], "list"),
        pair("callingExceptions", "exceptions", [], "list"),
        { property: "tls", start: "", config: "tls-config", optional: true, check: "config" },
        { property: "proxy", start: "", config: "http proxy", optional: true, check: "config" },
      ];
  }
}

function pairs(declared: Readonly<Partial<typeof GATE_PAIRS>>): NodeProperty[] {
  return Object.entries(declared).map(([property, { value, ...more }]) => ({ property, start: value, ...more }));
}

/** A typed input. Without `start`, it is off until something is entered. */
function pair(property: string, kind: FieldNote["kind"], start: unknown = "", type = "str"): NodeProperty {
  return { property, start, type, field: { kind } };
}

function actionProperties(action: Action): NodeProperty[] {
  return [
    NAME,
    TENANT,
    ...settings(modeSettings(action)),
    ...fieldProperties(fieldsByMode(action), Object.keys(action.modes ?? {})),
    ...conditionPairs(action),
    ...settings(conditionSettings(action)),
    // The answer of a call action has no data that a flow needs, and the payload belongs to the flow.
    {
      property: "target",
      ...(action.lane ? { start: "-", absent: "payload" } : { start: "payload" }),
      check: "property",
    },
  ];
}

function settings(declared: Settings): NodeProperty[] {
  return Object.entries(declared).map(([property, setting]) => ({
    property,
    start: typeof setting.default === "boolean" ? setting.default : String(setting.default),
    setting,
  }));
}

/** @param all the fields of each mode */
function fieldProperties(all: readonly Fields[], modes: readonly string[] = []): NodeProperty[] {
  const names = new Set(all.flatMap((each) => Object.keys(each)));
  return [...names].map((name) => {
    const fields = all.flatMap(({ [name]: field }, index): [string, Field][] =>
      field ? [[modes[index] ?? "", field]] : [],
    );
    const property = fields.find(([, field]) => field.property !== undefined)?.[1].property ?? propertyName(name);
    const notes = fields.map(([mode, field]) => [mode, { name, ...field }] as const);
    return { property, start: `payload.${name}`, type: "msg", field: merged(name, notes) };
  });
}

/** Merges the notes of modes: one note where they agree; else what any mode offers, and each mode's own beside it. */
function merged(name: string, notes: readonly (readonly [string, FieldNote])[]): FieldNote {
  const [first] = notes;
  if (!first) throw new Error(`the field ${name} is in no mode`);
  if (notes.every(([, each]) => JSON.stringify(each) === JSON.stringify(first[1]))) return first[1];
  const real = notes.map(([, each]) => each).filter(({ kind }) => kind !== "onlyInMode");
  const choices = [...new Set(real.flatMap((each) => each.choices ?? []))];
  const kind = real[0]?.kind ?? "text";
  return { name, kind, ...(choices.length > 0 && { choices }), modes: Object.fromEntries(notes) };
}

function conditionPairs({ repeat, lane }: Action): NodeProperty[] {
  return [
    ...(lane === "callOut" ? [pair("notBefore", "instant"), pair("urgent", "boolean", "false", "bool")] : []),
    ...(repeat === "freely" ? [] : [pair("notAfter", "instant")]),
    // The key comes with the message: nearly always, only its path is missing.
    ...(repeat === "never" ? [pair("onceKey", "text", "", "msg")] : []),
  ];
}
