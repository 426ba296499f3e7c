import { type Config, DIALOG, type Host, instant, isGiven, reader, required, text, valueError } from "../../../fields";
import { checkSetting } from "../../../fields/setting";
import type { Job } from "../../../tenant";
import type { Action } from "./declaration";

/** Limits that a flow may set for a request: not after an instant, once only for a key; outside of calling hours, too. */
export type Conditions = Pick<Job, "notAfter" | "deduplication" | "anytime">;

/** Rejects with ValueError; never throws. */
export type ConditionReader = (message: object) => Conditions | Promise<Conditions>;

/** The settings of deduplication, for actions that must not be repeated. */
export const CONDITION_SETTINGS = {
  /** How long a key is remembered, in seconds. */
  onceFor: { kind: "seconds", most: 366 * 86_400, default: 86_400 },
  onceScope: { kind: "option", choices: ["node", "tenant"], default: "node" },
} as const;

/** The settings of call-outs, which wait for calling hours. */
export const CALL_OUT_SETTINGS = { anytime: { kind: "boolean", default: false } } as const;

/** Prepares the conditions of a node. Actions that are repeated freely have none; `call-stop` has no deduplication key. */
export function conditionReader(action: Action, config: Config, nodeId: string, host: Host): ConditionReader {
  const fields = {
    ...(action.repeat !== "freely" && isGiven(config["notAfter"]) && { notAfter: instant() }),
    // If a configured key could resolve to nothing, every message would be sent.
    ...(action.repeat === "never" && isGiven(config["onceKey"]) && { onceKey: required(text()) }),
  };
  const always: Conditions = isAnytime(action, config) ? { anytime: true } : {};
  if (Object.keys(fields).length === 0) return () => always;
  const { read } = reader(fields, config, host);
  // A flow file may name a node anything: in quotes, no id is taken for the tenant or for part of a key.
  const owner = config["onceScope"] === "tenant" ? "tenant" : JSON.stringify(nodeId);
  return async (message) => {
    const values = await read(message);
    return {
      ...always,
      ...(values.notAfter !== undefined && { notAfter: values.notAfter }),
      ...(values.onceKey !== undefined && {
        deduplication: { key: `${owner} ${values.onceKey}`, forMs: onceFor(config) },
      }),
    };
  };
}

/**
 * Refuses an unknown scope, since falling back to the narrower one could ring a phone twice, and a bad switch.
 * @throws ValueError
 */
export function checkConditions({ repeat, lane }: Action, config: Config): void {
  if (repeat === "never") checkSetting(CONDITION_SETTINGS.onceScope, config["onceScope"], "onceScope");
  if (lane === "callOut") checkSetting(CALL_OUT_SETTINGS.anytime, config["anytime"], "anytime");
}

/** Whether calling hours do not hold a node's call-outs. */
export function isAnytime({ lane }: Action, config: Config): boolean {
  if (lane !== "callOut") return false;
  try {
    return checkSetting(CALL_OUT_SETTINGS.anytime, config["anytime"], "anytime");
  } catch {
    // Every message fails.
    return false;
  }
}

function onceFor(config: Config): number {
  try {
    return checkSetting(CONDITION_SETTINGS.onceFor, config["onceFor"], "onceFor") * 1000;
  } catch (error) {
    throw valueError(error, "onceFor", DIALOG);
  }
}
