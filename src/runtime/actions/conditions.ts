import { type Config, DIALOG, FieldError, type Host, instant, isGiven, reader, required, text } from "../../fields";
import { checkSetting } from "../../fields/setting";
import { asConfigError, type Job } from "../../tenant";
import type { Action } from "./declaration";

/** Limits that a flow may set for a request: not after an instant, once only for a key. */
export type Conditions = Pick<Job, "notAfter" | "deduplication">;

/** Rejects with FieldError; never throws. */
export type ConditionReader = (message: object) => Promise<Conditions>;

const NONE = Promise.resolve<Conditions>({});

/** The settings of deduplication, for actions that must not be repeated. */
export const CONDITION_SETTINGS = {
  /** How long a key is remembered, in seconds. */
  onceFor: { kind: "seconds", most: 366 * 86_400, default: 86_400 },
  onceScope: { kind: "option", choices: ["node", "tenant"], default: "node" },
} as const;

/** Prepares the conditions of a node. Actions that are repeated freely have none; `call-stop` has no deduplication key. */
export function conditionReader(action: Action, config: Config, nodeId: string, host: Host): ConditionReader {
  const fields = {
    ...(action.repeat !== "freely" && isGiven(config["notAfter"]) && { notAfter: instant() }),
    // If a configured key could resolve to nothing, every message would be sent.
    ...(action.repeat === "never" && isGiven(config["onceKey"]) && { onceKey: required(text()) }),
  };
  if (Object.keys(fields).length === 0) return () => NONE;
  const { read } = reader(fields, config, host);
  // A flow file may name a node anything: in quotes, no id is taken for the tenant or for part of a key.
  const owner = config["onceScope"] === "tenant" ? "tenant" : JSON.stringify(nodeId);
  return async (message) => {
    const values = await read(message);
    return {
      ...(values.notAfter !== undefined && { notAfter: values.notAfter }),
      ...(values.onceKey !== undefined && {
        deduplication: { key: `${owner} ${values.onceKey}`, forMs: onceFor(config) },
      }),
    };
  };
}

/**
 * Refuses an unknown scope: falling back to the narrower one could ring a phone twice.
 * @throws TenantError ERR_CONFIG
 */
export function checkScope({ repeat }: Action, config: Config): void {
  if (repeat === "never")
    asConfigError(() => checkSetting(CONDITION_SETTINGS.onceScope, config["onceScope"], "onceScope"));
}

function onceFor(config: Config): number {
  try {
    return checkSetting(CONDITION_SETTINGS.onceFor, config["onceFor"], "onceFor") * 1000;
  } catch {
    throw new FieldError("badSeconds", "onceFor", { most: CONDITION_SETTINGS.onceFor.most }, DIALOG);
  }
}
