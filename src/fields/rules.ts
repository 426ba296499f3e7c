import { isGiven } from "../hours/untrusted";
import { ValueError } from "../hours/value-error";
import { attempt } from "../json/rules";
import { isBlank, toBoolean } from "./kinds/coerce";
import { toInstant } from "./kinds/hours";
import { checkNumber, checkPair, type FieldNote, isFixed, noteInMode } from "./note";
import { checkSetting, type Setting } from "./setting";
import { type Config, literalOf, type Pair, pairOf, propertyName, textOfRow } from "./sources/property";

/** The kind of a node, as far as its rules depend on it. */
export type NodeKind = "action" | "list" | "escalation" | "gate" | "trigger" | "control" | "webhook" | "tenant";

/** The target of a node whose messages keep their payload: the answer is in `msg.envelope` only. */
export const NOWHERE = "-";

/** The properties of a node: settings, typed inputs with a field, and paths of messages. */
type Inputs = Readonly<
  Record<string, { readonly setting?: Setting; readonly field?: FieldNote; readonly check?: string }>
>;

/** A gate or a trigger with hours of its own needs a tenant only for the time zone. */
export function needsTenant(kind: NodeKind, config: Config): boolean {
  if (kind !== "gate" && kind !== "trigger") return kind !== "tenant" && kind !== "webhook";
  return config["source"] !== "value" || (isGiven(config["tenant"]) && !isGiven(config["timezone"]));
}

/** Whether a gate or a trigger has no schedule of its own but exceptions, so that it is open but for them. */
export function hasOnlyExceptions({ source, schedule, exceptions }: Config): boolean {
  const isEmpty = !isGiven(exceptions) || /^(?:\[\s*\])?$/.test(String(exceptions).trim());
  return source === "value" && !isGiven(schedule) && !isEmpty;
}

/** Whether a property is read from messages that have a row, whose columns may have any name. */
export function readsRows(kind: NodeKind, property: string): boolean {
  return kind === "list" && property !== "list";
}

/** Whether another property leaves a property unread. */
export function isIdle(kind: NodeKind, property: string, config: Config): boolean {
  if (property === "onceFor") return kind === "action" && !isGiven(config["onceKey"]);
  if (property === "url") return kind === "tenant" && config["mode"] === "sandbox";
  if (property === "callingExceptions")
    return !isGiven(config["callingHours"]) && config["callingExceptionsType"] === "global";
  if (kind !== "gate" && kind !== "trigger") return false;
  return config["source"] === "value" ? /^schedule(Name|Id)$/.test(property) : property === "schedule";
}

/**
 * Returns the reasons why a node that places calls refuses every message, although each of its properties is as it may be.
 * @param tenant `undefined` where it is not known
 */
export function unableToSend(inputs: Inputs, config: Config, tenant: Config | undefined): ValueError[] {
  const isOff = (property: string) => meansNothing(inputs[property]?.field, pairOf(config, property));
  const hasNoNumber = isOff("fromNumber") && tenant !== undefined && !isGiven(tenant["fromNumber"]);
  return [
    ...(hasNoNumber ? [new ValueError("input.hotlineMissing", "from.number")] : []),
    ...(isOff("actions") && isOff("answerUrl") ? [new ValueError("input.nothingToSay", "actions")] : []),
  ];
}

/** Whether no message has a value for a field: its pair is empty, or fixed and means nothing, such as `[]`. */
function meansNothing(note: FieldNote | undefined, pair: Pair | undefined): boolean {
  if (!pair || !isGiven(pair.value)) return pair !== undefined;
  try {
    return note !== undefined && isFixed(pair) && checkPair(note, pair) === undefined;
  } catch {
    return false;
  }
}

/**
 * Refuses an end that is not after the beginning, where both are fixed, and no zone is needed to compare them.
 * @throws ValueError
 */
export function checkDates(config: Config): void {
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

/**
 * Refuses settings of a webhook that contradict one another: its senders either bring the secret or sign.
 * @throws ValueError
 */
export function checkSender({ header, sign, scheme, get }: Config): void {
  const isSigned = !isBlank(sign) || isGiven(scheme);
  if (isSigned && !isBlank(header)) throw new ValueError("config.notSigned", "header");
  // Calendly signs as Stripe does, in a header of its own.
  if (!isBlank(sign) && isGiven(scheme) && scheme !== "stripe") throw new ValueError("config.headerOfScheme", "sign");
  if (isSigned && attempt(() => toBoolean(get, ""))) throw new ValueError("config.notSigned", "get");
}

/**
 * Checks a setting, a path, or a typed input as far as it is the same for every message.
 * @param sourceProblem checks a path or an expression: Node-RED's own code does where it is there
 * @returns the first problem that `sourceProblem` returns
 * @throws ValueError
 */
export function checkInput<Problem = undefined>(
  inputs: Inputs,
  property: string,
  config: Config,
  sourceProblem: (pair: Pair, field: string) => Problem | undefined,
): Problem | undefined {
  const { setting, field, check } = inputs[property] ?? {};
  const given = config[property];
  if (setting) checkSetting(setting, given, property);
  if (check === "property" && typeof given === "string" && given !== "" && given !== NOWHERE)
    return sourceProblem({ value: given, type: "msg" }, property);
  const pair = pairOf(config, property);
  if (!field || !pair) return undefined;
  const note = noteInMode(field, config["mode"]);
  const { kind, name = property, dialedBy = "" } = note;
  const { value, type } = pair;
  if (isGiven(value) && !isFixed(pair) && !(kind === "phoneList" && Array.isArray(value)))
    return sourceProblem(pair, name);
  checkPair({ ...note, property: note.property ?? property }, { value: value ?? "", type });
  const typeProperty = propertyName(dialedBy);
  const typeNote = inputs[typeProperty]?.field;
  if (typeNote) checkNumber(note, pair, noteInMode(typeNote, config["mode"]), pairOf(config, typeProperty));
  const rows = kind === "actions" && Array.isArray(value) ? value.map(textOfRow) : [];
  const problems = rows.map((text, index) =>
    isGiven(text.value) && !isFixed(text) ? sourceProblem(text, `${name}[${index}].text`) : undefined,
  );
  return problems.find((problem) => problem !== undefined);
}
