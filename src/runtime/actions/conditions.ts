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
import { type Job, notSent, type TenantError } from "../../tenant";
import type { Action } from "./action";

/** What a flow may ask of a job beyond its request: not after an instant, once only for a key. */
export type Conditions = Pick<Job, "notAfter" | "once">;

export type ConditionReader = (message: object) => Conditions | Promise<Conditions>;

const NONE: Conditions = {};
const ONCE_SCOPES: readonly unknown[] = ["node", "tenant"];
const LONGEST_ONCE_SECONDS = 366 * 86_400;

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

/** A scope that nobody knows must not quietly become the narrower one: the second node would ring again. */
export function scopeProblem(action: Action, config: Config): TenantError | undefined {
  const field = "onceScope";
  if (action.repeat !== "never" || !isGiven(config[field]) || ONCE_SCOPES.includes(config[field])) return undefined;
  return notSent("ERR_CONFIG", "config", {
    key: "config.notChoice",
    field,
    params: { field, choices: ONCE_SCOPES.join(", ") },
  });
}

function onceFor(config: Config): number {
  const seconds = isGiven(config["onceFor"]) ? Number(config["onceFor"]) : 86_400;
  if (seconds > 0 && seconds <= LONGEST_ONCE_SECONDS) return seconds * 1000;
  throw new FieldError("badSeconds", "onceFor", { most: LONGEST_ONCE_SECONDS }, DIALOG);
}
