import { isCountry, NumberNormalizer } from "../../client/guard/number-normalizer";
import { PhoneList } from "../../client/guard/phone-list";
import { TENANT_SETTINGS } from "../../client/settings";
import {
  type Config,
  calendarAddress,
  isGiven,
  type Pair,
  pairOf,
  type Source,
  source,
  ValueError,
} from "../../fields";
import { toPhoneList } from "../../fields/kinds/phone-list";
import { isFixed } from "../../fields/note";
import { checkDates, checkInput, checkSender, hasOnlyExceptions, isIdle, readsRows } from "../../fields/rules";
import { checkSetting } from "../../fields/setting";
import { columnAt } from "../../fields/sources/column";
import { checkTenantSource, literalOf } from "../../fields/sources/property";
import { hasVariable, variableOf } from "../../fields/variable";
import { refusal } from "../../hours/value-error";
import { attempt } from "../../json/rules";
import { type NodeProperty, nodeProperties } from "../../runtime/node-properties";
import { gateSettings } from "../../runtime/nodes/gate/settings";
import { triggerSettings } from "../../runtime/nodes/trigger/settings";
import type { NodeDeclaration } from "../../runtime/register";
import { HOLIDAY_SOURCES } from "../../runtime/schedules/calling-hours-settings";
import { GUARD_SOURCES, listPair } from "../../runtime/tenants/guard";
import { parseExpression } from "./expression";

const TENANT_SOURCES = { allow: GUARD_SOURCES, block: GUARD_SOURCES, callingExceptions: HOLIDAY_SOURCES };

/** Returns what the runtime refuses in a node, by the runtime's own checks: for every message, or when it is deployed. */
export function refusals(node: NodeDeclaration, config: Config): ValueError[] {
  const properties = inputsOf(node);
  const found = Object.keys(properties).map((name) => refusal(() => checkProperty(node, properties, name, config)));
  return [...found, refusal(() => checkNode(node, config))].filter((error) => error !== undefined);
}

export function inputsOf(node: NodeDeclaration): Readonly<Record<string, NodeProperty>> {
  return Object.fromEntries(nodeProperties(node).map((entry) => [entry.property, entry]));
}

/** The typed inputs of a node that have a value and no type. */
export function withoutType(inputs: Readonly<Record<string, NodeProperty>>, config: Config): string[] {
  const isUntyped = ({ property, type }: NodeProperty) =>
    type !== undefined && isGiven(config[property]) && !isGiven(config[`${property}Type`]);
  return Object.values(inputs).flatMap((input) => (isUntyped(input) ? [input.property] : []));
}

/** The property that an error names, or a part of it. */
export function propertyAt(inputs: Readonly<Record<string, NodeProperty>>, path: string): string | undefined {
  const isAt = ({ property, field }: NodeProperty) => {
    const name = field?.name ?? property;
    return path === name || path === property || path.startsWith(`${name}[`) || path.startsWith(`${name}.`);
  };
  return Object.values(inputs).find(isAt)?.property;
}

/** Checks rules about several properties of a node. */
function checkNode({ kind }: NodeDeclaration, config: Config): void {
  const isWrongAlone = (property: string) => variableOf(config[property]) !== undefined;
  if (["source", "refresh", "language", "onUnknown"].some(isWrongAlone)) return;
  if (kind === "gate") gateSettings(config);
  const decidesAnyway = /^(open|closed)$/.test(String(config["onUnknown"])) || isGiven(config["override"]);
  const needsSchedule = kind === "trigger" || (kind === "gate" && !decidesAnyway);
  if (needsSchedule && config["source"] === "value" && isEmpty(config["schedule"]) && !hasOnlyExceptions(config))
    throw new ValueError("input.missing", "schedule");
  if (kind === "trigger") triggerSettings(config);
  if (kind === "webhook") checkSender(config);
  if (kind === "tenant") {
    for (const [property, types] of Object.entries(TENANT_SOURCES)) {
      const isGuard = property === "allow" || property === "block";
      const pair = (isGuard ? listPair(config, property) : pairOf(config, property)) ?? { value: "", type: "list" };
      checkTenantSource(pair, property, types, config["z"]);
    }
    const country = String(config["country"] ?? "").trim();
    if (/^[a-z]{2}$/i.test(country) && !isCountry(country.toUpperCase()))
      throw new ValueError("config.country", "country", { country });
  }
  if (kind === "action") checkDates(config);
}

function checkProperty(
  node: NodeDeclaration,
  properties: Readonly<Record<string, NodeProperty>>,
  property: string,
  config: Config,
): void {
  const value = config[property];
  // A message may bring the command; then only a syntax error is sure.
  const mayCancel = isGiven(config["command"]) ? config["command"] === "cancel" : config["keyType"] === "jsonata";
  if (variableOf(value) !== undefined || isIdle(node.kind, property, config)) return;
  if (node.kind === "control" && property === "key" && !mayCancel) return;
  const ofRow = readsRows(node.kind, property);
  checkInput(properties, property, config, (pair, field) => checkSource(pair, field, ofRow));
  if (node.kind === "tenant" && (property === "allow" || property === "block")) checkEntries(property, config);
}

/** Reads a list as the guard does. An extension, for one, counts only behind a number that the country makes whole. */
function checkEntries(property: "allow" | "block", config: Config): void {
  const country = attempt(() => checkSetting(TENANT_SETTINGS.country, config["country"], "country"));
  const pair = listPair(config, property);
  if (isEmpty(pair.value) || !isFixed(pair) || country === undefined || (country !== "" && !isCountry(country))) return;
  const entries = toPhoneList(literalOf(pair, property), property);
  for (const _ of PhoneList.read(entries, new NumberNormalizer(country), property));
}

/** Whether a value is not given, or an empty list. */
export function isEmpty(value: unknown): boolean {
  return !isGiven(value) || (Array.isArray(value) && value.length === 0);
}

/**
 * Checks where a value comes from.
 * @param ofRow a path may name a column
 * @throws ValueError
 */
function checkSource(pair: Pair, field: string, ofRow = false): undefined {
  const { value, type } = pair;
  const isCalendar = type === "url" && /exceptions$/i.test(field);
  if (isCalendar && !hasVariable(value)) calendarAddress(value, field, () => undefined);
  const { problem }: Partial<Source> = isCalendar ? {} : source(pair, field, HOST);
  if (problem) throw problem;
  if (type === "msg" && ofRow && columnAt(String(value))) return;
  if (["msg", "flow", "global"].includes(type)) checkPath(String(value).replace(/^#:\(\S+?\)::/, ""), field);
}

/** Paths are checked without Node-RED. */
const HOST = {
  path: () => [],
  context: () => Promise.resolve(undefined),
  env: () => undefined,
  jsonata(expression: string) {
    parseExpression(expression);
    return () => Promise.resolve(undefined);
  },
};

/** Texts in quotes, and the brackets of indexes, names and nested paths. */
const QUOTED = /\[\s*(?:"[^"]*"|'[^']*')\s*\]/g;

/**
 * Refuses a path of properties that Node-RED cannot read. Where Node-RED knows more, nothing is refused.
 * @throws ValueError
 */
function checkPath(path: string, field: string): void {
  let plain = path.replace(QUOTED, "");
  for (let before = ""; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\[[^[\]\s]+\]/g, "");
  }
  if (/^$|\s|\.\.|^\.|\.$|[[\]"']/.test(plain) || /^\[/.test(path))
    throw new ValueError("input.badSource", field, { value: path, type: "msg" });
}
