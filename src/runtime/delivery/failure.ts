import type { NodeAPI } from "node-red";
import type { JobResult, TenantError } from "../../tenant";
import { sentence } from "../node-red/texts";
import { NoSchedule } from "../schedules/no-schedule";

/** What a flow may act on; frozen plain JSON, documented in the help of every node. */
export type Cause = Readonly<Record<string, unknown>>;

/**
 * The error that a Catch node gets: `code`, `cause` and a sentence. It has no stack, which would carry the server's
 * paths into the flow.
 */
class NodeFailure extends Error {
  constructor(
    message: string,
    readonly code: string,
    override readonly cause: Cause,
  ) {
    super(message);
    this.name = code;
    // `name` would travel as an own enumerable property; `String(error)` needs it, JSON does not.
    Object.defineProperty(this, "name", { value: code, enumerable: false });
    delete this.stack;
  }
}

/** Makes the error of a failed job. */
export function failure(
  RED: NodeAPI,
  action: string,
  mode: string | null,
  end: Extract<JobResult, { ok: false }>,
): Error {
  const { error, asked, tally } = end;
  const { sent, outcome, retryable, phase, details } = error;
  const request = Object.keys(asked).length > 0 ? { request: asked } : {};
  // Node-RED 4.0 hands a Catch node the cause of an error, but not its code.
  const code = String((RED.settings as { version?: unknown }).version).startsWith("4.0.") ? { code: error.code } : {};
  const cause = { ...code, action, mode, sent, outcome, retryable, ...tally, phase, ...request, ...details };
  return new NodeFailure(sentence(RED, error, action), error.code, freeze(cause));
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}

/** The end of a message for which nothing was asked of the service, but perhaps a schedule. */
export function notBegun(error: TenantError): Extract<JobResult, { ok: false }> {
  const nothing = { attempts: 0, waitedMs: 0, elapsedMs: 0 };
  return { ok: false, error, asked: {}, tally: error instanceof NoSchedule ? error.tally : nothing };
}
