import type { NodeAPI } from "node-red";
import { CODES, type TenantError } from "../../client/errors";
import type { Mode } from "../../client/settings";
import type { ErrorKey, Params } from "../../fields";
import type { Texts } from "../../texts";
import { joined } from "../../texts/catalogue";
import { serverTexts, shared } from "./catalogue";
import { type Labelled, withLabel } from "./field-label";
import { NoSchedule, statusKeyOf } from "./no-schedule";

/**
 * The effect of an action on the service, for its status, its errors and its help: `none` is done when it is answered, anything
 * else is accepted, or may have been applied. The texts are `status.mayHaveBeen.<effect>` and `errors.mayHaveBeen.<effect>`.
 */
export type Effect = "none" | keyof (Texts["status"]["mayHaveBeen"] | Texts["errors"]["mayHaveBeen"]);

export { asTenantError } from "../../client/refused-value";

/** A node type that fails. */
export interface Actor extends Labelled {
  readonly effect?: Effect;
  readonly mode?: Mode | null;
  /** The facts in the cause of each of its errors, unless the error says otherwise. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Explains what happened, what may have been applied, and what to do next, in the server's language. */
export function sentence(RED: NodeAPI, error: TenantError, actor?: Actor): string {
  const why = error instanceof NoSchedule ? { why: shared(RED, `status.${statusKeyOf(error)}`) } : {};
  const params = actor ? withLabel(RED, actor, error.params) : error.params;
  const what = shared(RED, `errors.${error.key}`, { ...params, ...why });
  if (error.outcome !== "unknown") return what;
  // The sentences of `ensure` name what was left behind themselves.
  const isComplete = error.key.startsWith("ensure.");
  return joined(serverTexts(RED), "pattern.sentences", [
    what,
    ...(isComplete ? [] : [shared(RED, `errors.${unknownOutcomeOf(error, actor)}`)]),
    ...(actor?.mode === "sandbox" ? [shared(RED, "errors.simulated")] : []),
  ]);
}

function unknownOutcomeOf({ code, retryable }: TenantError, actor: Actor | undefined): ErrorKey {
  const { effect = "none" } = actor ?? {};
  // A refusal is true of the last attempt, not of an earlier one whose answer was lost.
  const isOfLastTry = retryable || CODES[code].outcome === "after bytes";
  return effect === "none" || !isOfLastTry ? "earlierTry" : `mayHaveBeen.${effect}`;
}

/** The reason why a dialog's request failed: a key for the dialog's language, and a sentence in the server's. */
export interface Refusal {
  readonly key: string;
  readonly params: Params;
  readonly message: string;
}

export function refusal(RED: NodeAPI, error: TenantError): Refusal {
  return { key: error.key, params: error.params, message: sentence(RED, error) };
}
