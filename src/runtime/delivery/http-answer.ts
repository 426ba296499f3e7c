import type { NodeAPI } from "node-red";
import type { ShownReason } from "../../backlog";
import type { JobResult, Outcome, TenantError } from "../../client";
import { CODES } from "../../client/errors";
import type { TextKey } from "../../fields";
import { shared } from "../node-red/catalogue";
import { failedStatus } from "../node-red/status";

/** The answer to a request of a webhook. See docs/contract/webhook.md. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter?: number;
}

export const ACCEPTED = accepted();
/** Not known yet: the sender may ask again after some seconds. */
export const ASK_LATER: HttpAnswer = { status: 503, body: { accepted: false, outcome: "pending" }, retryAfter: 5 };

export function accepted(more = {}): HttpAnswer {
  return { status: 200, body: { accepted: true, ...more } };
}

/** The other things that a message waits for, besides the reasons of the backlog. */
export const NOT_IN_BACKLOG = ["answer", "flow", "acknowledgement", "list"] as const;
type WaitsFor = ShownReason | (typeof NOT_IN_BACKLOG)[number];

export function waiting(waitsFor: WaitsFor, until?: string | null, more = {}): HttpAnswer {
  return { status: 202, body: { accepted: true, waitsFor, ...(until && { until }), ...more } };
}

/** @param body what else is said if it is not applied */
export function ofOutcome(outcome: Outcome, body = {}): HttpAnswer {
  if (outcome === "applied") return ACCEPTED;
  return { status: outcome === "unknown" ? 504 : 503, body: { accepted: false, ...body, outcome } };
}

/** The answer for one of several messages that were made of one: others may do well. */
export function ofParts(parts: number): HttpAnswer {
  return { status: 202, body: { accepted: true, parts } };
}

export const NOT_APPLIED = ofOutcome("not-applied");

/** The answer in the server's language, without anything of the error's own sentence or of the service. */
export function ofResult(RED: NodeAPI, result: JobResult): HttpAnswer {
  if (result.ok) return ACCEPTED;
  const { code, outcome, details } = result.error;
  const status = outcome === "unknown" ? 504 : (CODES[code].status ?? 502);
  const body = { accepted: false, code, outcome, ...publicReason(RED, result.error) };
  const { retryAfterMs } = details;
  return { status, body, ...(status === 503 && retryAfterMs && { retryAfter: Math.ceil(retryAfterMs / 1000) }) };
}

/** The status text of an error; of `ERR_INPUT`, which field is missing or wrong. Never a value or a number. */
export function publicReason(RED: NodeAPI, error: TenantError): { readonly message: string; readonly field?: string } {
  if (error.code !== "ERR_INPUT") {
    const status = failedStatus(error);
    return { message: shared(RED, `status.${status.key}`, status.params) };
  }
  const { key, field } = wrongField(error);
  return { field, message: shared(RED, key, { field }) };
}

/** The field that is missing or wrong in a message, and the text that says so. */
export function wrongField({ key, params, details }: TenantError): { readonly key: TextKey; readonly field: string } {
  const { field: name = "", source = "" } = details;
  const path = params["variable"] === undefined ? source : `msg.${params["variable"]}`;
  const [, inPayload] = /^msg\.payload(?:\.|(?=\[))(.+)$/.exec(path) ?? [];
  const field = (inPayload ?? name).replace(/^\["([^"]*)"\]/, "$1");
  const known = /^input\.(payloadIsText|payloadIsList|.*[mM]issing)$/.exec(key)?.[1];
  const reason = known === undefined ? "other" : known.startsWith("payload") ? known : "missing";
  return { key: `webhook.input.${reason}` as TextKey, field };
}
