import type { Job } from "../../../client";
import {
  any,
  boolean,
  type Config,
  DIALOG,
  type Fields,
  type Host,
  isGiven,
  type Reader,
  reader,
  required,
  text,
  valueError,
} from "../../../fields";
import { checkSetting, type Settings } from "../../../fields/setting";
import type { Tenant } from "../../tenants/chosen-tenant";
import { dateReader } from "./dates";
import type { Action } from "./declaration";

/** Limits that a flow may set for a request: between two instants, once only for a key; outside of calling hours, too. */
type Conditions = Pick<Job, "notBefore" | "notAfter" | "deduplication" | "onceAgain" | "anytime" | "urgent">;

/** Rejects with ValueError; never throws. */
export type ConditionReader = ((message: object) => Conditions | Promise<Conditions>) &
  Partial<Pick<Reader<Fields>, "problem">>;

/** How long a key is remembered, in seconds. */
const ONCE_FOR = { kind: "seconds", most: 366 * 86_400, default: 86_400 } as const;
/** What becomes of a message whose key is taken. Only a call-out can take the place of one that waits. */
const onceAgain = (...more: readonly "replace"[]) =>
  ({ kind: "option", choices: ["refuse", ...more, "ignore"], default: "refuse" }) as const;
/** Calling hours do not hold a call-out. */
const ANYTIME = { kind: "boolean", default: false } as const;

/** The settings of deduplication, for actions that must not be repeated, and of call-outs, which wait for calling hours. */
export function conditionSettings({ repeat, lane }: Pick<Action, "repeat" | "lane">): Settings {
  const isCallOut = lane === "callOut";
  return {
    ...(repeat === "never" && {
      onceAgain: isCallOut ? onceAgain("replace") : onceAgain(),
      onceFor: ONCE_FOR,
      onceScope: { kind: "option", choices: ["node", "tenant"], default: "node" } as const,
    }),
    ...(isCallOut && { anytime: ANYTIME }),
  };
}

/**
 * Prepares the conditions of a node. Actions that are repeated freely have none; `call-stop` has no deduplication key, and only
 * call-outs have a date.
 */
export function conditionReader(
  action: Action,
  config: Config,
  nodeId: string,
  host: Host,
  tenant: Pick<Tenant, "settings">,
): ConditionReader {
  const { repeat, lane } = action;
  const { urgent } = config;
  const fields = {
    // If a configured date or key could resolve to nothing, every message would be sent at once.
    ...(lane === "callOut" && isGiven(config["notBefore"]) && { notBefore: required(any()) }),
    ...(repeat !== "freely" && isGiven(config["notAfter"]) && { notAfter: any() }),
    ...(repeat === "never" && isGiven(config["onceKey"]) && { onceKey: required(text()) }),
    ...(lane === "callOut" && isGiven(urgent) && `${urgent}` !== "false" && { urgent: boolean() }),
  };
  const always: Conditions = isAnytime(action, config) ? { anytime: true } : {};
  if (Object.keys(fields).length === 0) return () => always;
  const prepared = reader(fields, config, host);
  // A flow file may name a node anything: in quotes, no id is taken for the tenant or for part of a key.
  const owner = config["onceScope"] === "tenant" ? "tenant" : JSON.stringify(nodeId);
  const replaces = config["onceAgain"] === "replace";
  const isDated = "notBefore" in fields || "notAfter" in fields;
  const dates = isDated ? dateReader(tenant, (field) => prepared.looked(field)) : undefined;

  const conditions = async (message: object): Promise<Conditions> => {
    const values = await prepared.read(message);
    const limits = dates?.(values);
    return {
      ...always,
      ...(limits instanceof Promise ? await limits : limits),
      ...(values.urgent === true && { urgent: true }),
      ...(values.onceKey !== undefined && {
        deduplication: { key: values.onceKey, scope: owner, forMs: onceFor(config) },
        ...(replaces && { onceAgain: "replace" }),
      }),
    };
  };
  return Object.assign(conditions, { problem: prepared.problem });
}

/**
 * Refuses an unknown scope, since falling back to the narrower one could ring a phone twice, and other bad choices.
 * @throws ValueError
 */
export function checkConditions(action: Action, config: Config): void {
  for (const [property, setting] of Object.entries(conditionSettings(action)))
    if (setting !== ONCE_FOR) checkSetting(setting, config[property], property);
}

/** Whether a message that is repeated ends without output and without error. */
export function ignoresRepeats({ repeat }: Action, config: Config): boolean {
  return repeat === "never" && config["onceAgain"] === "ignore";
}

/** Whether calling hours do not hold a node's call-outs. */
export function isAnytime({ lane }: Action, config: Config): boolean {
  if (lane !== "callOut") return false;
  try {
    return checkSetting(ANYTIME, config["anytime"], "anytime");
  } catch {
    // Every message fails.
    return false;
  }
}

function onceFor(config: Config): number {
  try {
    return checkSetting(ONCE_FOR, config["onceFor"], "onceFor") * 1000;
  } catch (error) {
    throw valueError(error, "onceFor", DIALOG);
  }
}
