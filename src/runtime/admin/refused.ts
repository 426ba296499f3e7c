import type { NodeAPI } from "node-red";
import { FieldError } from "../../fields/problem";
import { TenantError } from "../../tenant/errors";
import { asTenantError, refusal } from "../node-red/texts";

/** A refusal as the dialog shows it; `undefined` for an unexpected error. */
export function refused(RED: NodeAPI, error: unknown): object | undefined {
  if (!(error instanceof TenantError || error instanceof FieldError)) return undefined;
  const problem = asTenantError(error);
  const { code, phase, details } = problem;
  return { ok: false, code, phase, field: details.field, ...refusal(RED, problem) };
}
