import { FieldError, readActions } from "../../fields";
import type { FieldNote } from "../../fields/note";
import { checkSetting, type Setting, SettingError } from "../../fields/setting";
import { current, currentPair, type Pair } from "../inputs/pair";
import { shared } from "../words";
import { addressProblem } from "./address";
import { callOutProblem, checkableRows } from "./call-out";
import { checkField } from "./check";
import { gateProblem, isIdle, tenantProblem } from "./gate";
import { problemText, shownLabel } from "./problem";

/**
 * Checks one property of a node with the runtime's own checks. A value that a message brings is not checked.
 * @returns true, or a sentence that names the property by its label
 */
export function valid(node: EditorNode, property: string, value: unknown): true | string {
  const problem = problemOf(node, property, value);
  if (problem === undefined) return true;
  const label = shownLabel(node, property);
  return problem.includes(label) ? problem : `${label}: ${problem}`;
}

function problemOf(node: EditorNode, property: string, value: unknown): string | undefined {
  const { setting, field, check, value: start } = node._def.defaults[property] ?? {};
  if (setting) return settingProblem(node, property, setting, value);
  // An absent field of a request is read from the payload. Any other absent property has its default.
  const given = value ?? (field?.name === undefined ? start : undefined);
  if (given === undefined) return undefined;
  if (field) return fieldProblem(node, property, noteInMode(node, field), currentPair(node, property, given));
  if (check === "tenant") return tenantProblem(node, given);
  if (check === "property" && given !== "") return sentence(RED.utils.validateTypedProperty(String(given), "msg", {}));
  return undefined;
}

function settingProblem(node: EditorNode, property: string, setting: Setting, value: unknown): string | undefined {
  if (setting.kind === "address") return current(node, "mode") === "sandbox" ? undefined : addressProblem(value);
  try {
    checkSetting(setting, value, property);
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    if (error.key === "notChoice") return shared("valid.choice", { value: String(value) });
    if (error.key === "seconds") return shared("valid.seconds", error.params);
    return shared(`errors.config.${error.key}`, { field: shownLabel(node, property), ...error.params });
  }
}

/** What is known about a field in the node's mode. */
function noteInMode(node: EditorNode, note: FieldNote): FieldNote {
  const { modes } = note;
  if (!modes) return note;
  const mode = String(current(node, "mode") || Object.keys(modes)[0]);
  return modes[mode] ?? note;
}

function fieldProblem(node: EditorNode, property: string, note: FieldNote, pair: Pair): string | undefined {
  switch (node.type) {
    case "call-out":
      return pairProblem(node, note, pair) ?? callOutProblem(node, property, pair);
    case "business-hour-gate":
      return isIdle(node, property) ? undefined : (pairProblem(node, note, pair) ?? gateProblem(node, property, pair));
    default:
      return pairProblem(node, note, pair);
  }
}

function pairProblem(node: EditorNode, note: FieldNote, { value, type }: Pair): string | undefined {
  if (value === "" || value === null) return isMissing(note) ? shared("valid.missing") : undefined;
  if (note.kind === "onlyInMode") return type === "msg" ? undefined : shared("valid.elsewhere");
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
        ? (sentence(RED.utils.validateTypedProperty(text, type, {})) ?? fixedProblem(node, note, JSON.parse(text)))
        : fixedProblem(node, note, value);
    case "str":
    case "num":
    case "bool":
    case "list":
      return fixedProblem(node, note, value, type);
    default:
      return undefined;
  }
}

/** Why a value that is the same for every message is refused. */
function fixedProblem(node: EditorNode, note: FieldNote, value: unknown, type?: string): string | undefined {
  try {
    const isRows = type === "list" && note.kind === "actions";
    const given = isRows ? readActions(checkableRows(value), note.name ?? "") : checkField(note, value);
    return given === undefined && isMissing(note) ? shared("valid.missing") : undefined;
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const { key, field, params } = error;
    return problemText(node, `input.${key}`, { field, source: field, ...params });
  }
}

function isMissing({ required, default: value }: FieldNote): boolean {
  return required === true && value === undefined;
}

function sentence(result: boolean | string): string | undefined {
  if (typeof result === "string") return result;
  return result ? undefined : shared("valid.unreadable");
}
