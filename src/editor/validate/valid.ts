import { FieldError, readActions, toBoolean, toChoice, toId, toPositiveInteger, toText } from "../../fields";
import { current, currentPair, type Pair } from "../inputs/pair";
import { gateProblem, isIdle, tenantProblem } from "../nodes/gate";
import { validRange, validZone } from "../nodes/tenant";
import { shared } from "../words";
import { callOutProblem, checkRows } from "./call-out";
import { checkHours } from "./check-hours";
import { problemText, shownLabel } from "./problem";

type Note = NonNullable<EditorProperty["field"]>;

/** Most seconds that a key can be kept. */
const LONGEST_ONCE = 366 * 86_400;

/**
 * Checks one property of a node, with the runtime's own checks where a value is fixed.
 * @returns true, or a sentence that names the field by its label
 */
export function valid(node: EditorNode, property: string, value: unknown): true | string {
  const note = node._def.defaults[property]?.field;
  // An absent field of a request maps the payload; any other absent property has its default.
  const given = value ?? (note?.name === undefined ? node._def.defaults[property]?.value : undefined);
  if (!note || given === undefined) return true;
  const problem = problemOf(node, property, noteIn(node, note), given);
  if (problem === undefined) return true;
  const label = shownLabel(node, property);
  return problem.includes(label) ? problem : `${label}: ${problem}`;
}

/** What the field is in the node's mode. */
function noteIn(node: EditorNode, note: Note): Note {
  const { modes } = note;
  if (!modes) return note;
  const mode = String(current(node, "mode") || Object.keys(modes)[0]);
  return modes[mode] ?? note;
}

function problemOf(node: EditorNode, property: string, note: Note, value: unknown): string | undefined {
  const text = String(value);
  switch (note.kind) {
    case "option":
      return text === "" || note.choices?.includes(text) ? undefined : shared("valid.choice", { value: text });
    case "tenant":
      return tenantProblem(node, value);
    case "zone":
      return sentence(validZone(node, value));
    case "seconds":
      if (note.from !== undefined && note.to !== undefined)
        return sentence(validRange(node, property, value, note.from, note.to));
      return text === "" || (Number(text) > 0 && Number(text) <= LONGEST_ONCE)
        ? undefined
        : shared("valid.seconds", { most: LONGEST_ONCE });
    case "property":
      return text === "" ? undefined : sentence(RED.utils.validateTypedProperty(text, "msg", {}));
    default:
      return fieldProblem(node, property, note, currentPair(node, property, value));
  }
}

function fieldProblem(node: EditorNode, property: string, note: Note, pair: Pair): string | undefined {
  switch (node.type) {
    case "call-out":
      return pairProblem(node, note, pair) ?? callOutProblem(node, property, pair);
    case "business-hour-gate":
      return isIdle(node, property) ? undefined : (pairProblem(node, note, pair) ?? gateProblem(node, property, pair));
    default:
      return pairProblem(node, note, pair);
  }
}

function pairProblem(node: EditorNode, note: Note, { value, type }: Pair): string | undefined {
  if (value === "" || value === null)
    return note.required && note.default === undefined ? shared("valid.missing") : undefined;
  if (note.kind === "onlyInMode") return type === "msg" ? undefined : shared("valid.onlyInMode");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (type) {
    case "msg":
    case "jsonata":
      return sentence(RED.utils.validateTypedProperty(text, type, {}));
    case "flow":
    case "global":
      return sentence(RED.utils.validateTypedProperty(RED.utils.parseContextKey(text).key, type, {}));
    case "json":
      return typeof value === "string"
        ? (sentence(RED.utils.validateTypedProperty(text, type, {})) ?? fixed(node, note, JSON.parse(text)))
        : fixed(node, note, value);
    case "str":
    case "num":
    case "bool":
      return fixed(node, note, value);
    case "list":
      return note.kind === "actions"
        ? judged(node, note, () => checkRows(value, note.name ?? ""))
        : fixed(node, note, value);
    default:
      return undefined;
  }
}

function sentence(result: boolean | string): string | undefined {
  if (typeof result === "string") return result;
  return result ? undefined : shared("valid.unreadable");
}

/** A value that is the same for every message can be judged before there is one. */
function fixed(node: EditorNode, note: Note, value: unknown): string | undefined {
  return judged(node, note, () => check(note, value));
}

function judged(node: EditorNode, note: Note, read: () => unknown): string | undefined {
  try {
    const given = read();
    return given === undefined && note.required && note.default === undefined ? shared("valid.missing") : undefined;
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const { key, field, params } = error;
    return problemText(node, `input.${key}`, { field, source: field, ...params });
  }
}

function check({ name = "", kind, choices = [], spellings = [] }: Note, value: unknown): unknown {
  switch (kind) {
    case "choice":
      return toChoice(value, name, [...choices, ...spellings]);
    case "boolean":
      return toBoolean(value, name);
    case "positiveInteger":
      return toPositiveInteger(value, name);
    case "id":
      return toId(value, name);
    case "actions":
      return readActions(value, name);
    case "days":
    case "schedule":
    case "exceptions":
      return checkHours(kind, value, name || kind);
    case "instant":
      return instant(value);
    case "moment":
      return moment(value);
    case "text":
      return toText(value, name);
    default:
      return value;
  }
}

/** Epoch milliseconds, or a date and time with its offset. */
function instant(value: unknown): unknown {
  const text = String(value).trim();
  const readable = /^\d{1,15}$/.test(text) || (/T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text)));
  if (text !== "" && !readable) throw new FieldError("hours.instantFormat", "notAfter", { value: text });
  return text;
}

/** The same, or one that the gate's own clock shows. */
function moment(value: unknown): unknown {
  const text = String(value).trim();
  if (/^\d{13}$/.test(text) || (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)))) return text;
  throw new FieldError("hours.instantFormat", "at", { value: text });
}
