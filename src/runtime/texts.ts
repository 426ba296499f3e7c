import type { NodeAPI } from "node-red";
import { FieldError, type Params, reasonOf, sourceInWords } from "../fields";
import { notSent, TenantError } from "../tenant";
import { shared } from "./catalogue";

/** What happened, whether a call may exist, and what to do next. */
export function sentence(RED: NodeAPI, error: TenantError): string {
  const what = shared(RED, `errors.${error.key}`, error.params);
  return error.outcome === "unknown" ? `${what} ${shared(RED, "errors.mayExist")}` : what;
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
