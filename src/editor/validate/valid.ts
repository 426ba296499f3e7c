import { type Pair, shownParams } from "../../fields";
import { checkNumber, checkPair, type FieldNote, isFixed, noteInMode } from "../../fields/note";
import { checkSetting, type Setting } from "../../fields/setting";
import { checkFlow, propertyName } from "../../fields/sources/property";
import { refusal } from "../../hours/value-error";
import { absentValue, current, currentPair, flowOf } from "../inputs/pair";
import { translate } from "../texts";
import { addressProblem, credentialProblem } from "./access";
import { callOutProblem, rowSources, usesHotline } from "./call-out";
import { configProblem, tenantProblem } from "./config";
import { gateProblem, isIdle } from "./gate";
import { problemText, shownLabel } from "./problem";
import { sentence, sourceProblem } from "./source";

/** The target of a node whose messages keep their payload. */
const NOWHERE = "-";

/**
 * The validator of a property, which names it by its label. With two parameters, Node-RED takes a text as the reason. A value
 * from a message is not checked.
 */
function validator(property: string) {
  return function (this: EditorNode, value: unknown, _options: unknown): true | string {
    const problem = problemOf(this, property, value);
    if (problem === undefined) return true;
    const label = shownLabel(this, property);
    return problem.includes(label) ? problem : `${label}: ${problem}`;
  };
}

/** Properties of a node, each with its validator if it has a rule. */
export function checked<P extends Record<string, Partial<EditorProperty>>>(properties: P): P {
  for (const [name, property] of Object.entries(properties)) {
    const { setting, field, check } = property;
    if (setting || field || check) Object.assign(property, { validate: validator(name) });
  }
  return properties;
}

/** What is wrong with one property of a node, without the property's label where the sentence does not need it. */
export function problemOf(node: EditorNode, property: string, value: unknown): string | undefined {
  if (property in (node._def.credentials ?? {})) return credentialProblem(node, property, value);
  const { setting, field, check, ...start } = node._def.defaults[property] ?? {};
  if (setting) return settingProblem(node, property, setting, value);
  // An absent field of a request is read from the payload. Any other absent property has its default.
  const given = value ?? (field?.name === undefined ? absentValue(start) : undefined);
  if (given === undefined) return undefined;
  if (field)
    return fieldProblem(node, property, noteInMode(field, current(node, "mode")), currentPair(node, property, given));
  if (check === "tenant") return tenantProblem(node, given);
  if (check === "config") return configProblem(property, given);
  if (check === "property" && given !== "" && given !== NOWHERE)
    return sentence(RED.utils.validateTypedProperty(String(given), "msg", {}));
  return undefined;
}

function settingProblem(node: EditorNode, property: string, setting: Setting, value: unknown): string | undefined {
  if (setting.kind === "address") return current(node, "mode") === "sandbox" ? undefined : addressProblem(value);
  const error = refusal(() => checkSetting(setting, value, property));
  if (error === undefined) return undefined;
  if (error.key === "config.notChoice") return translate("valid.choice", { value: String(value) });
  if (error.key === "input.badSeconds") return translate("valid.seconds", shownParams(error));
  return problemText(node, error.key, shownParams(error));
}

function fieldProblem(node: EditorNode, property: string, note: FieldNote, pair: Pair): string | undefined {
  switch (node.type) {
    case "business-hour-gate":
    case "business-hour-trigger":
      return isIdle(node, property) ? undefined : (pairProblem(node, note, pair) ?? gateProblem(node, property, pair));
    default:
      // A list that comes from nowhere must not lift a rule of the guard.
      if (pair.type === "url" && pair.value === "") return translate("valid.missing");
      if (note.kind === "phoneList" && pair.value === "" && pair.type !== "list") return translate("valid.missing");
      return (
        pairProblem(node, note, pair) ??
        numberProblem(node, note, pair) ??
        (usesHotline(node) ? callOutProblem(node, property, pair) : undefined)
      );
  }
}

function pairProblem(node: EditorNode, note: FieldNote, pair: Pair): string | undefined {
  const { value, type } = pair;
  if (value === "" || value === null) return fixedProblem(node, note, pair);
  if (note.kind === "onlyInMode" && type !== "msg" && !isFixed(pair)) return translate("valid.onlyInMode");
  if (isFixed(pair)) return fixedProblem(node, note, pair);
  const error = refusal(() => checkFlow(pair, note.property ?? note.name ?? "", flowOf(node)));
  return error ? problemText(node, error.key, shownParams(error)) : sourceProblem(pair);
}

/** What is wrong with a number that is to be dialed, where the dialog has both the number and what kind it is. */
function numberProblem(node: EditorNode, note: FieldNote, pair: Pair): string | undefined {
  if (note.dialedBy === undefined || !isFixed(pair)) return undefined;
  const property = propertyName(note.dialedBy);
  const kind = node._def.defaults[property]?.field;
  const typeNote = kind && noteInMode(kind, current(node, "mode"));
  const error = typeNote && refusal(() => checkNumber(note, pair, typeNote, currentPair(node, property)));
  return error && problemText(node, error.key, shownParams(error));
}

function fixedProblem(node: EditorNode, note: FieldNote, { value, type }: Pair): string | undefined {
  const isRows = type === "list" && note.kind === "actions" && Array.isArray(value);
  const error = refusal(() => checkPair(note, { value, type }));
  if (error === undefined) return isRows ? rowSources(node, value) : undefined;
  const { key, path } = error;
  if (key === "input.missing" && path === (note.name ?? "")) return translate("valid.missing");
  if (key === "input.onlyInMode") return translate("valid.onlyInMode");
  return problemText(node, key, shownParams(error));
}
