import { isCountry } from "../../client/guard/number-normalizer";
import { parseAddress } from "../../client/transport/address";
import {
  type Config,
  calendarAddress,
  isGiven,
  type Pair,
  pairOf,
  propertyName,
  type Source,
  source,
  toInstant,
  ValueError,
} from "../../fields";
import { checkNumber, checkPair, type FieldNote, isFixed, noteInMode, textOfRow } from "../../fields/note";
import { checkSetting } from "../../fields/setting";
import { checkFlow, literalOf } from "../../fields/sources/property";
import type { ModeName } from "../../fields/word";
import { refusal } from "../../hours/value-error";
import { type NodeProperty, nodeProperties } from "../../runtime/node-properties";
import { gateSettings } from "../../runtime/nodes/gate/settings";
import { triggerSettings } from "../../runtime/nodes/trigger/settings";
import type { NodeDeclaration } from "../../runtime/register";
import { HOLIDAY_SOURCES } from "../../runtime/schedules/calling-hours-settings";
import { GUARD_SOURCES, listPair } from "../../runtime/tenants/guard";
import { parseExpression } from "./expression";

/** Node-RED replaces it when it deploys. */
const VARIABLE = /^\s*\$(\{[^}]+\}|\([^)]+\))\s*$/;

/** A typed input as the runtime reads it. */
const pairIn = (config: Config, property: string) =>
  property === "allow" || property === "block" ? listPair(config, property) : pairOf(config, property);

/** No tenant has a message. */
const LISTS = ["list", ...GUARD_SOURCES];
const TENANT_SOURCES = { allow: LISTS, block: LISTS, callingExceptions: HOLIDAY_SOURCES };

/** What the runtime refuses in a node, by the runtime's own checks: for every message, or when it is deployed. */
export function refusals(node: NodeDeclaration, config: Config): ValueError[] {
  const properties = nodeProperties(node);
  const found = properties.map((entry) => refusal(() => checkProperty(entry, properties, config, node)));
  return [...found, refusal(() => checkNode(node, config))].filter((error) => error !== undefined);
}

/** Rules about several properties of a node. */
function checkNode({ kind }: NodeDeclaration, config: Config): void {
  const isWrongAlone = (property: string) => isGiven(config[property]) && VARIABLE.test(String(config[property]));
  if (["source", "refresh", "language", "onUnknown"].some(isWrongAlone)) return;
  if (kind === "gate") gateSettings(config);
  const decidesAnyway = /^(open|closed)$/.test(String(config["onUnknown"])) || isGiven(config["override"]);
  const needsSchedule = kind === "trigger" || (kind === "gate" && !decidesAnyway);
  if (needsSchedule && config["source"] === "value" && isEmpty(config["schedule"]))
    throw new ValueError("input.missing", "schedule");
  if (kind === "trigger") triggerSettings(config);
  if (kind === "tenant") {
    for (const [property, types] of Object.entries(TENANT_SOURCES)) {
      const pair = pairIn(config, property) ?? { value: "", type: "list" };
      if (!types.includes(pair.type)) throw new ValueError("input.badType", property, { value: pair.type });
      checkFlow(pair, property, config["z"]);
    }
    const country = String(config["country"] ?? "").trim();
    if (/^[a-z]{2}$/i.test(country) && !isCountry(country.toUpperCase()))
      throw new ValueError("config.country", "country", { country });
  }
  if (kind === "action") checkDates(config);
}

/** Refuses an end that is not after the beginning, where both are fixed, and no zone is needed to compare them. */
function checkDates(config: Config): void {
  const [notBefore, notAfter] = ["notBefore", "notAfter"].map((property) => {
    const pair = pairOf(config, property);
    return pair && isGiven(pair.value) && isFixed(pair) ? literalOf(pair, property) : undefined;
  });
  if (!isGiven(notBefore) || !isGiven(notAfter) || hasOffset(notBefore) !== hasOffset(notAfter)) return;
  const [start, end] = [toInstant(notBefore, "notBefore"), toInstant(notAfter, "notAfter")];
  if (start !== undefined && end !== undefined && end <= start)
    throw new ValueError("input.endsBeforeStart", "notAfter", { notAfter, notBefore });
}

/** An instant, not a time on the clock of some zone. */
function hasOffset(value: unknown): boolean {
  return typeof value !== "string" || /(?:z|:\d\d(?:\.\d+)?[+-]\d\d(?::?\d\d)?)$/i.test(value.trim());
}

function checkProperty(
  { property, setting, field, check, type }: NodeProperty,
  all: readonly NodeProperty[],
  config: Config,
  node: NodeDeclaration,
): void {
  const value = config[property];
  if (VARIABLE.test(String(value)) || isIdle(node, property, config)) return;
  if (setting?.kind === "address") {
    if (config["mode"] !== "sandbox") parseAddress(checkSetting(setting, value, property));
  } else if (setting) checkSetting(setting, value, property);
  else if (check === "property" && isGiven(value) && typeof value === "string" && value !== "-")
    checkPath(value, property);
  else if (field && type !== undefined) {
    const pair = pairIn(config, property);
    const note = noteInMode(field, config["mode"]);
    if (pair && note.kind === "onlyInMode") checkMode(field, pair, property);
    else if (pair) checkField(note, pair, property, all, config);
  }
}

/** Refuses a value of a field that only another mode of the node has. */
function checkMode({ name, modes = {} }: FieldNote, pair: Pair, property: string): void {
  if (!isFixed(pair) || !isGiven(pair.value)) return;
  const mode = Object.keys(modes).find((each) => modes[each]?.kind !== "onlyInMode") as ModeName;
  throw new ValueError("input.onlyInMode", name ?? property, { mode, how: { word: mode } });
}

function checkField(note: FieldNote, pair: Pair, property: string, all: readonly NodeProperty[], config: Config): void {
  const name = note.name ?? property;
  if (!isGiven(pair.value) || isFixed(pair)) {
    const { type } = pair;
    checkPair({ ...note, property: note.property ?? property }, isGiven(pair.value) ? pair : { value: "", type });
    if (note.kind === "actions" && Array.isArray(pair.value))
      for (const [index, row] of pair.value.entries()) checkSource(textOfRow(row), `${name}[${index}].text`);
    const kindProperty = note.dialedBy && propertyName(note.dialedBy);
    const kind = all.find((each) => each.property === kindProperty)?.field;
    if (kindProperty && kind) checkNumber(note, pair, noteInMode(kind, config["mode"]), pairOf(config, kindProperty));
  } else if (pair.type !== "url" || note.kind !== "exceptions") checkSource(pair, name);
  else if (!String(pair.value).includes("${")) calendarAddress(pair.value, name, () => undefined);
}

/** Whether no message has a value for a field: its pair is empty, or fixed and means nothing, such as `[]`. */
export function isOff(node: NodeDeclaration, config: Config, property: string): boolean {
  const pair = pairOf(config, property);
  if (!pair) return false;
  if (!isGiven(pair.value)) return true;
  if (!isFixed(pair)) return false;
  const note = nodeProperties(node).find((each) => each.property === property)?.field;
  try {
    return note !== undefined && checkPair(note, pair) === undefined;
  } catch {
    return false;
  }
}

/** Not given, or an empty list. */
export function isEmpty(value: unknown): boolean {
  return !isGiven(value) || (Array.isArray(value) && value.length === 0);
}

/** Checks where a value comes from. */
function checkSource(pair: Pair, field: string): void {
  if (!isGiven(pair.value) || isFixed(pair)) return;
  const { problem }: Source = source(pair, field, HOST);
  if (problem) throw problem;
  if (["msg", "flow", "global"].includes(pair.type)) checkPath(String(pair.value).replace(/^#:\(\S+?\)::/, ""), field);
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

/** Whether another property leaves a property unread. */
function isIdle({ kind }: NodeDeclaration, property: string, config: Config): boolean {
  if (property === "onceFor") return !isGiven(config["onceKey"]);
  if (property === "key") return config["command"] !== "cancel";
  if (property === "callingExceptions")
    return !isGiven(config["callingHours"]) && /^(flow|global)$/.test(String(config["callingExceptionsType"]));
  if (kind !== "gate" && kind !== "trigger") return false;
  return config["source"] === "value" ? /^schedule(Name|Id)$/.test(property) : property === "schedule";
}

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
