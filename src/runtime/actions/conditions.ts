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
import type { Action } from "./declaration";

/** Limits that a flow may set for a request: not after an instant, once only for a key. */
export type Conditions = Pick<Job, "notAfter" | "deduplication">;

/** Rejects with FieldError; never throws. */
export type ConditionReader = (message: object) => Promise<Conditions>;

const NONE = Promise.resolve<Conditions>({});
const ONCE_SCOPES: readonly unknown[] = ["node", "tenant"];
const LONGEST_ONCE_SECONDS = 366 * 86_400;

/** Prepares the conditions of a node. Actions that are repeated freely have none; `call-stop` has no deduplication key. */
export function conditionReader(action: Action, config: Config, nodeId: string, host: Host): ConditionReader {
  const notAfter = action.repeat === "freely" ? undefined : pairOf(config, "notAfter");
  const onceKey = action.repeat === "never" ? pairOf(config, "onceKey") : undefined;
  const hasKey = isGiven(onceKey?.value);
  if (!isGiven(notAfter?.value) && !hasKey) return () => NONE;
  const read = reader(
    // If a configured key could resolve to nothing, every message would be sent.
    { notAfter: instant(), onceKey: hasKey ? required(text()) : text() },
    {
      notAfter: notAfter?.value ?? "",
      notAfterType: notAfter?.type ?? "str",
      onceKey: onceKey?.value ?? "",
      onceKeyType: onceKey?.type ?? "str",
    },
    host,
  );
  const owner = config["onceScope"] === "tenant" ? "tenant" : nodeId;
  return async (message) => {
    const values = await read.read(message);
    return {
      ...(values.notAfter !== undefined && { notAfter: values.notAfter }),
      ...(values.onceKey !== undefined && {
        deduplication: { key: `${owner} ${values.onceKey}`, forMs: onceFor(config) },
      }),
    };
  };
}

/** ERR_CONFIG for an unknown scope: falling back to the narrower one could ring a phone twice. */
export function scopeProblem(action: Action, config: Config): TenantError | undefined {
  const field = "onceScope";
  if (action.repeat !== "never" || !isGiven(config[field]) || ONCE_SCOPES.includes(config[field])) return undefined;
  return notSent("ERR_CONFIG", "config", {
    key: "config.notChoice",
    field,
    params: { field, choices: ONCE_SCOPES.join(", ") },
  });
}

/** Milliseconds. */
function onceFor(config: Config): number {
  const seconds = isGiven(config["onceFor"]) ? Number(config["onceFor"]) : 86_400;
  if (seconds > 0 && seconds <= LONGEST_ONCE_SECONDS) return seconds * 1000;
  throw new FieldError("badSeconds", "onceFor", { most: LONGEST_ONCE_SECONDS }, DIALOG);
}
