import type { Response } from "express";
import type { NodeAPI } from "node-red";
import { TenantError } from "../../client/errors";
import { ValueError } from "../../hours/value-error";
import { asTenantError, type Refusal, refusal } from "../../runtime/node-red/texts";

/** The refusal of a request, as an answer to the editor. */
export type RefusalAnswer = { readonly ok: false; readonly field?: string } & Pick<TenantError, "code" | "phase"> &
  Refusal;

/** Answers with a refusal as the dialog shows it, or with 500 after an unexpected error. */
export function refuse(RED: NodeAPI, response: Response, error: unknown): void {
  if (error instanceof TenantError || error instanceof ValueError) response.json(refusalAnswer(RED, error));
  else response.sendStatus(500);
}

export function refusalAnswer(RED: NodeAPI, error: TenantError | ValueError): RefusalAnswer {
  const problem = asTenantError(error);
  const { code, phase, details } = problem;
  return {
    ok: false,
    code,
    phase,
    ...(details.field !== undefined && { field: details.field }),
    ...refusal(RED, problem),
  };
}
