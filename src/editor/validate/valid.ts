import { FieldError } from "../../fields";
import { checkPair, type FieldNote } from "../../fields/note";
import { checkSetting, type Setting, SettingError } from "../../fields/setting";
import { current, currentPair, type Pair } from "../inputs/pair";
import { shared } from "../words";
import { addressProblem } from "./address";
import { callOutProblem, checkableRows } from "./call-out";
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

function pairProblem(node: EditorNode, note: FieldNote, pair: Pair): string | undefined {
  const { value, type } = pair;
  if (value === "" || value === null) return fixedProblem(node, note, pair);
  if (note.kind === "onlyInMode" && type !== "msg" && !FIXED.includes(type)) return shared("valid.onlyInMode");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (type) {
    case "msg":
    case "jsonata":
      return sentence(RED.utils.validateTypedProperty(text, type, {}));
    case "flow":
    case "global":
      return sentence(RED.utils.validateTypedProperty(RED.utils.parseContextKey(text).key, type, {}));
    default:
      return FIXED.includes(type) ? fixedProblem(node, note, pair) : undefined;
  }
}

/** Types of a value that is the same for every message. */
const FIXED = ["str", "num", "bool", "json", "list"];

function fixedProblem(node: EditorNode, note: FieldNote, { value, type }: Pair): string | undefined {
  const isRows = type === "list" && note.kind === "actions";
  try {
    checkPair(note, { value: isRows ? checkableRows(value) : value, type });
    return undefined;
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const { key, field, params } = error;
    if (key === "missing" && field === (note.name ?? "")) return shared("valid.missing");
    if (key === "onlyInMode") return shared("valid.onlyInMode");
    return problemText(node, `input.${key}`, { field, source: field, ...params });
  }
}

function sentence(result: boolean | string): string | undefined {
  if (typeof result === "string") return result;
  return result ? undefined : shared("valid.unreadable");
}
