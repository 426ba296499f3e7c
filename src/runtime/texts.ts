import type { NodeAPI } from "node-red";
import { FieldError, reasonOf } from "../fields";
import { notSent, TenantError } from "../tenant";
import { shared } from "./catalogue";

/** What happened, whether a call may exist, and what to do next. */
export function sentence(RED: NodeAPI, error: TenantError): string {
  const what = shared(RED, `errors.${error.key}`, error.params);
  return error.outcome === "unknown" ? `${what} ${shared(RED, "errors.mayExist")}` : what;
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
      params: { field, source: source ?? field, ...params },
    });
  }
  return notSent("ERR_INPUT", "input", {
    key: "input.unexpected",
    field: "msg",
    params: { reason: reasonOf(error) },
  });
}
