import { reasonOf } from "../fields/quote";
import { shownParams } from "../fields/value-error";
import { ValueError } from "../hours/value-error";
import { notSent, TenantError } from "./errors";

/** Turns anything thrown before a request was made into a failure that a Catch node can act on. */
export function asTenantError(error: unknown): TenantError {
  if (error instanceof TenantError) return error;
  if (!(error instanceof ValueError)) {
    const params = { reason: reasonOf(error) };
    return notSent("ERR_INPUT", "input", { key: "input.unexpected", field: "msg", params });
  }
  const { key, path: field, source } = error;
  const facts = { key, field, ...(source !== undefined && { source }), params: shownParams(error) };
  return key.startsWith("config.") ? notSent("ERR_CONFIG", "config", facts) : notSent("ERR_INPUT", "input", facts);
}

/** The same where the value belongs to the configuration, although it is read as those of messages are. */
export function asConfigError(error: unknown): TenantError {
  const refused = asTenantError(error);
  const { code, key, params, details } = refused;
  return code === "ERR_INPUT" ? notSent("ERR_CONFIG", "config", { key, params, ...details }) : refused;
}
