import type { Response } from "express";
import type { NodeAPI } from "node-red";
import { TenantError } from "../../client/errors";
import { ValueError } from "../../hours/value-error";
import { asTenantError, type Refusal, refusal } from "../../runtime/node-red/texts";

/** The refusal of a request, as an answer to the editor. */
export type RefusalAnswer = { readonly ok: false } & Pick<TenantError, "code" | "phase"> & Refusal;

/** Answers with a refusal as the dialog shows it, or with 500 after an unexpected error. */
export function refuse(RED: NodeAPI, response: Response, error: unknown): void {
  if (!(error instanceof TenantError || error instanceof ValueError)) return void response.sendStatus(500);
  const problem = asTenantError(error);
  const { code, phase, details } = problem;
  response.json({ ok: false, code, phase, field: details.field, ...refusal(RED, problem) });
}
