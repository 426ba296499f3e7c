import type { NodeAPI } from "node-red";
import { type Failed, type Mode, NO_TIMINGS, type TenantError } from "../../client";
import { NoSchedule } from "../node-red/no-schedule";
import { type Actor, sentence } from "../node-red/texts";
import { type Cause, frozenCause } from "./cause";
import type { Done } from "./pending";

/** The error for a Catch node: `code`, `cause` and a sentence. A stack would carry the server's paths into the flow. */
class NodeFailure extends Error {
  constructor(
    message: string,
    readonly code: string,
    override readonly cause: Cause,
  ) {
    super(message);
    this.name = code;
    // `String(error)` needs the name; as an enumerable property it would travel with the message.
    Object.defineProperty(this, "name", { value: code, enumerable: false });
    delete this.stack;
  }
}

/** A node, as far as Node-RED's types lack it. */
interface InFlow {
  readonly _flow: { handleError(node: object, error: Error, message: object): boolean };
  error?(error: Error, message: object): unknown;
}

/** Fails a message with `done`: Catch nodes get it, but without one the log has no line. */
export function failUnlogged(node: object, error: Error, done: Done): void {
  const failing = node as InFlow;
  failing.error = (given, message) => failing._flow.handleError(node, given, message);
  done(error);
  delete failing.error;
}

export function failure(
  RED: NodeAPI,
  actor: Actor,
  mode: Mode | null,
  { error, summary, timings }: Failed,
): NodeFailure {
  const { sent, outcome, retryable, phase, details } = error;
  const request = Object.keys(summary).length > 0 ? { request: summary } : {};
  const cause = {
    action: actor.type,
    mode,
    sent,
    outcome,
    retryable,
    ...timings,
    phase,
    ...request,
    ...actor.facts,
    ...details,
  };
  return new NodeFailure(sentence(RED, error, { ...actor, mode }), error.code, frozenCause(cause));
}

/** The result of a message that led to no request, other than reading a schedule. */
export function notBegun(error: TenantError): Failed {
  return { ok: false, error, summary: {}, timings: error instanceof NoSchedule ? error.timings : NO_TIMINGS };
}
