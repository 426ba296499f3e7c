import {
  type Config,
  DIALOG,
  FieldError,
  type Host,
  instant,
  isGiven,
  pairOf,
  reader,
  required,
  text,
} from "../../fields";
import { checkSetting } from "../../fields/setting";
import { asConfigError, type Job } from "../../tenant";
import type { Action } from "./action";

/** What a flow may ask of a job beyond its request: not after an instant, once only for a key. */
export type Conditions = Pick<Job, "notAfter" | "once">;

export type ConditionReader = (message: object) => Conditions | Promise<Conditions>;

const NONE: Conditions = {};

/** The properties of deduplication, for actions that must not be repeated. */
export const CONDITION_SETTINGS = {
  /** How long a key is remembered, in seconds. */
  onceFor: { kind: "seconds", most: 366 * 86_400, default: 86_400 },
  onceScope: { kind: "option", choices: ["node", "tenant"], default: "node" },
} as const;

/** Prepares the conditions of a node; actions that may be repeated freely have none, stopping a call has no once key. */
export function conditionReader(action: Action, config: Config, nodeId: string, host: Host): ConditionReader {
  const notAfter = action.repeat === "freely" ? undefined : pairOf(config, "notAfter");
  const onceKey = action.repeat === "never" ? pairOf(config, "onceKey") : undefined;
  const asksOnce = isGiven(onceKey?.value);
  if (!isGiven(notAfter?.value) && !asksOnce) return () => NONE;
  const read = reader(
    // A key that is asked for and resolves to nothing would let every message through.
    { notAfter: instant(), onceKey: asksOnce ? required(text()) : text() },
    {
      notAfter: notAfter?.value ?? "",
      notAfterType: notAfter?.type ?? "str",
      onceKey: onceKey?.value ?? "",
      onceKeyType: onceKey?.type ?? "str",
    },
    host,
  );
  const conditions = (values: {
    readonly notAfter: number | undefined;
    readonly onceKey: string | undefined;
  }): Conditions => ({
    ...(values.notAfter !== undefined && { notAfter: values.notAfter }),
    ...(values.onceKey !== undefined && { once: { key: scoped(values.onceKey), forMs: onceFor(config) } }),
  });
  const scoped = (key: string) => (config["onceScope"] === "tenant" ? `tenant ${key}` : `${nodeId} ${key}`);
  return (message) => read.read(message).then(conditions);
}

/**
 * Refuses an unknown scope: the narrower one in its place would let a second node call the same phone.
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
