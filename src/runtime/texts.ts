import type { NodeAPI } from "node-red";
import { FieldError, type Params, reasonOf, sourceInWords } from "../fields";
import { type Code, notSent, TenantError } from "../tenant";
import { shared } from "./catalogue";
import { NoSchedule, wordsFor } from "./no-schedule";

/** Their sentences leave open what became of the request. */
const IN_DOUBT: ReadonlySet<Code> = new Set([
  "ERR_CONNECTION_LOST",
  "ERR_TIMEOUT",
  "ERR_SERVER",
  "ERR_BAD_RESPONSE",
  "ERR_RESPONSE_TOO_LARGE",
]);

/** What happened, whether a call may exist, and what to do next. */
export function sentence(RED: NodeAPI, error: TenantError): string {
  const why = error instanceof NoSchedule ? { why: shared(RED, wordsFor(error)) } : {};
  const what = shared(RED, `errors.${error.key}`, { ...error.params, ...why });
  if (error.outcome !== "unknown") return what;
  // A refusal says that nothing was done: true of the last try, not of one before it whose answer was lost.
  return `${what} ${shared(RED, `errors.${IN_DOUBT.has(error.code) ? "mayExist" : "earlierTry"}`)}`;
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
