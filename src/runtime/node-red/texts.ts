import type { NodeAPI } from "node-red";
import { type ErrorKey, FieldError, type Params, reasonOf, sourceInWords } from "../../fields";
import { type Code, notSent, TenantError } from "../../tenant";
import { NoSchedule, wordsFor } from "../schedules/no-schedule";
import { shared } from "./catalogue";

/** Their sentences leave open what became of the request. */
const IN_DOUBT: ReadonlySet<Code> = new Set([
  "ERR_CONNECTION_LOST",
  "ERR_TIMEOUT",
  "ERR_SERVER",
  "ERR_BAD_RESPONSE",
  "ERR_RESPONSE_TOO_LARGE",
]);

/** What may have come of a request that is not to be repeated, where that is no new call. */
const MAY_HAVE_DONE: ReadonlyMap<string, ErrorKey> = new Map([
  ["call-transfer", "callMayHaveChanged"],
  ["call-add-user", "callMayHaveChanged"],
  ["business-hour-create", "hourMayExist"],
]);

/** What happened, what may have come of it, and what to do next. */
export function sentence(RED: NodeAPI, error: TenantError, action = ""): string {
  const why = error instanceof NoSchedule ? { why: shared(RED, wordsFor(error)) } : {};
  const what = shared(RED, `errors.${error.key}`, { ...error.params, ...why });
  return error.outcome === "unknown" ? `${what} ${shared(RED, `errors.${doubtOf(error, action)}`)}` : what;
}

function doubtOf({ code, retryable }: TenantError, action: string): ErrorKey {
  if (retryable) return "mayBeDone";
  // A refusal says that nothing was done: true of the last try, not of one before it whose answer was lost.
  return IN_DOUBT.has(code) ? (MAY_HAVE_DONE.get(action) ?? "mayExist") : "earlierTry";
}

/** Why a dialog's question has no answer: for the dialog in its own language, and as a sentence in the server's. */
export interface Refusal {
  readonly key: string;
  readonly params: Params;
  readonly message: string;
}

export function refusal(RED: NodeAPI, error: TenantError): Refusal {
  return { key: error.key, params: error.params, message: sentence(RED, error) };
}

/** Whatever was thrown while a message was prepared, as a failure that a Catch node can act on. */
export function asTenantError(error: unknown): TenantError {
  if (error instanceof TenantError) return error;
  if (error instanceof FieldError) {
    const { field, source, key, params } = error;
    return notSent("ERR_INPUT", "input", {
      field,
      ...(source !== undefined && { source }),
      key: `input.${key}`,
      params: { field, source: sourceInWords(source ?? field), ...params },
    });
  }
  return notSent("ERR_INPUT", "input", {
    key: "input.unexpected",
    field: "msg",
    params: { reason: reasonOf(error) },
  });
}
