import { type Config, type Pair, pairOf, shownParams, type ValueError } from "../../fields";
import { checkDates, checkInput, checkSender, isIdle, unableToSend } from "../../fields/rules";
import { checkFlow } from "../../fields/sources/property";
import { refusal } from "../../hours/value-error";
import { ShownStatus } from "../inputs/own-status";
import { absentValue, flowOf, shownConfig } from "../inputs/pair";
import { readsRows } from "../inputs/types";
import { translate } from "../texts";
import { credentialProblem } from "./access";
import { hoursProblem, notAsked } from "./choices";
import { chosenTenant, configProblem, tenantProblem } from "./config";
import { labelIn, problemText, shownLabel } from "./problem";
import { sourceProblem } from "./source";

/**
 * The validator of a property, which names it by its label. With two parameters, Node-RED takes a text as the reason. A value
 * from a message is not checked.
 */
function validator(property: string) {
  return function (this: EditorNode, value: unknown, _options: unknown): true | string {
    const problem = problemOf(this, property, value);
    if (problem === undefined) return true;
    const label = shownLabel(this, property);
    return problem.includes(label) ? problem : translate("pattern.named", { name: label, text: problem });
  };
}

/** Gives each property of a node its validator if it has a rule. */
export function checked<P extends Record<string, Partial<EditorProperty>>>(properties: P): P {
  for (const [name, property] of Object.entries(properties)) {
    const { setting, field, check } = property;
    if (setting || field || check) Object.assign(property, { validate: validator(name) });
  }
  return properties;
}

/** Returns what is wrong with one property of a node, without the property's label where the sentence does not need it. */
export function problemOf(node: EditorNode, property: string, shown: unknown): string | undefined {
  const value = shown instanceof ShownStatus ? shown.toJSON() : shown;
  const { credentials = {}, defaults, kind } = node._def;
  if (property in credentials) return credentialProblem(node, property, value);
  const { setting, field, check, ...start } = defaults[property] ?? {};
  // An absent field of a request is read from the payload. Any other absent property has its default.
  const given = value ?? (setting || field?.name !== undefined ? undefined : absentValue(start));
  const config = shownConfig(node, { [property]: given });
  if (isIdle(kind, property, config) || notAsked(node).includes(property)) return undefined;
  if (setting || ((field || check === "property") && given !== undefined)) return valueProblem(node, property, config);
  if (check === "tenant") return tenantProblem(node, config);
  if (check === "config") return configProblem(property, given);
  return undefined;
}

function valueProblem(node: EditorNode, property: string, config: Config): string | undefined {
  const { defaults, placesCalls } = node._def;
  const { field: { kind, name = property } = {} } = defaults[property] ?? {};
  const pair = pairOf(config, property) ?? { value: "", type: "str" };
  // A list that comes from nowhere must not lift a rule of the guard.
  const isNowhere = pair.type === "url" || (kind === "phoneList" && pair.type !== "list");
  if (pair.value === "" && isNowhere) return translate("valid.missing");
  let problem: string | undefined;
  const check = () => {
    problem = checkInput(defaults, property, config, sourceProblemAt);
    if (property === "notAfter") checkDates(config);
  };
  const unable = placesCalls ? unableToSend(defaults, config, chosenTenant(config)) : [];
  const together = [...unable, refusal(() => checkSender(config))];
  const error = refusal(check) ?? together.find((each) => each?.path === name);
  return error ? sentenceOf(node, name, error) : (problem ?? hoursProblem(node, property, pair, config));

  function sourceProblemAt(source: Pair, place: string): string | undefined {
    checkFlow(source, place, flowOf(node));
    const found = sourceProblem(source, readsRows(node, property));
    if (found === undefined || !place.includes("[")) return found;
    return translate("pattern.named", { name: labelIn(node, place), text: found });
  }
}

/** Errors whose sentence is shorter below the field than elsewhere. */
const SHORTER = {
  "config.notChoice": "valid.choice",
  "input.missing": "valid.missing",
  "input.onlyInMode": "valid.onlyInMode",
  "input.hotlineMissing": "valid.hotline",
  "input.nothingToSay": "valid.nothingToSay",
} as const;

function sentenceOf(node: EditorNode, name: string, error: ValueError): string {
  const { key, path } = error;
  const isOwn = key in SHORTER && (key !== "input.missing" || path === name);
  const params = shownParams(error);
  return isOwn ? translate(SHORTER[key as keyof typeof SHORTER], params) : problemText(node, key, params);
}
