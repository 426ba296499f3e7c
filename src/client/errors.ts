import type { FirstUse, Outcome } from "../backlog/entry";
import type { ErrorKey, Params } from "../fields";
import type { Envelope } from "./envelope";
import type { ConnectPhase } from "./transport/connect-attempt";

/** The kind of a failure, for a flow to act on. Every code has a sentence in the catalogue (docs/contract/messages.md#error-codes). */
export type Code = Extract<ErrorKey, `ERR_${string}`>;

interface Row {
  /** `after bytes`: unknown once a byte of the request may have left, unless it only reads. */
  readonly outcome: "not-applied" | "rejected" | "after bytes";
  /** A flow may safely send the same message again. */
  readonly again: "yes" | "no" | "the case says";
  /** The status of a webhook's answer, unless the outcome is unknown. Default: 502. */
  readonly status?: number;
  /** The log line of an error that no Catch node takes. `unless answered`: none if a webhook has told its sender. */
  readonly log: "error" | "unless answered";
}

/** A test compares these rows with docs/contract/messages.md#error-codes and docs/contract/webhook.md#the-answer. */
export const CODES: Readonly<Record<Code, Row>> = {
  ERR_CONFIG: { outcome: "not-applied", again: "no", status: 500, log: "error" },
  ERR_INPUT: { outcome: "not-applied", again: "no", status: 400, log: "error" },
  ERR_DUPLICATE: { outcome: "not-applied", again: "no", log: "unless answered" },
  ERR_EXPIRED: { outcome: "not-applied", again: "no", status: 409, log: "error" },
  ERR_BLOCKED: { outcome: "not-applied", again: "the case says", status: 403, log: "error" },
  ERR_DROPPED: { outcome: "not-applied", again: "yes", status: 409, log: "error" },
  ERR_CANCELLED: { outcome: "not-applied", again: "no", status: 409, log: "error" },
  ERR_BACKLOG_FULL: { outcome: "not-applied", again: "yes", status: 503, log: "error" },
  ERR_ENGINE: { outcome: "not-applied", again: "yes", status: 503, log: "error" },
  ERR_DNS: { outcome: "not-applied", again: "the case says", log: "error" },
  ERR_CONNECT: { outcome: "not-applied", again: "the case says", log: "error" },
  ERR_CONNECT_TIMEOUT: { outcome: "not-applied", again: "the case says", log: "error" },
  ERR_TLS: { outcome: "not-applied", again: "the case says", log: "error" },
  ERR_AUTH: { outcome: "rejected", again: "no", status: 500, log: "error" },
  ERR_REJECTED: { outcome: "rejected", again: "no", log: "error" },
  ERR_RATE_LIMITED: { outcome: "rejected", again: "yes", status: 503, log: "error" },
  ERR_REDIRECT: { outcome: "rejected", again: "no", log: "error" },
  ERR_CONNECTION_LOST: { outcome: "after bytes", again: "the case says", log: "error" },
  ERR_TIMEOUT: { outcome: "after bytes", again: "the case says", log: "error" },
  ERR_SERVER: { outcome: "after bytes", again: "the case says", log: "error" },
  ERR_BAD_RESPONSE: { outcome: "after bytes", again: "the case says", log: "error" },
  ERR_RESPONSE_TOO_LARGE: { outcome: "after bytes", again: "the case says", log: "error" },
  ERR_SCHEDULE: { outcome: "not-applied", again: "yes", log: "error" },
};

/** The codes of failures without a connection. */
export const NO_CONNECTION: ReadonlySet<string> = new Set(["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"]);

/** `no`: provably no byte of the request reached a connected socket. `yes`: a response began (docs/contract/messages.md#the-cause). */
export type Sent = "no" | "maybe" | "yes";

/** `unknown`: the call may exist; never repeat it blindly. */
export type { Outcome };

export type Phase = "config" | "input" | "queue" | ConnectPhase | "request" | "headers" | "body" | "parse";

/** Further facts about a failure; plain JSON. */
export interface Details {
  readonly sentAt?: string;
  readonly field?: string;
  readonly source?: string;
  readonly first?: FirstUse;
  readonly host?: string;
  readonly httpStatus?: number;
  readonly serviceCode?: number | string;
  readonly serviceMessage?: string;
  readonly retryAfterMs?: number;
  readonly rule?: "allow" | "block" | "opt-out" | "perNumber" | "unreadable";
  /** The cause of a cancellation. */
  readonly by?: "cancel" | "replaced";
  /** The id of a schedule that a run has left behind; null if it may have left one whose id is not known. */
  readonly created?: number | string | null;
  /** The calls of an incident that were tried, in order. */
  readonly rung?: readonly object[];
  /** The system's error code, e.g. `ECONNREFUSED`. */
  readonly sys?: string;
}

/** Facts about a failed request: its outcome, details, and the key of the sentence that describes it. */
export interface Facts extends Details {
  readonly sent: Sent;
  /** The row's, unless given; `unknown` after bytes. */
  readonly outcome?: Outcome;
  /** Whether it may be sent again. As the row says, unless given. */
  readonly retryable?: boolean;
  /** Key below `errors` in the catalogue; differs from the code if that has several sentences. */
  readonly key?: ErrorKey;
  readonly params?: Params;
}

export class TenantError extends Error {
  readonly sent: Sent;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly key: ErrorKey;
  readonly params: Params;
  readonly details: Details;
  /** The envelope of a refusal, as received. */
  envelope?: Envelope;
  /** The fields that a refusal names, of those that tenants may read in another style. */
  named: readonly string[] = [];

  constructor(
    readonly code: Code,
    readonly phase: Phase,
    { sent, outcome, retryable, key = code, params = {}, ...details }: Facts,
  ) {
    super(code);
    this.name = code;
    this.sent = sent;
    const row = CODES[code];
    this.outcome = outcome ?? (row.outcome === "after bytes" ? "unknown" : row.outcome);
    this.retryable = retryable ?? row.again === "yes";
    this.key = key;
    this.params = params;
    this.details = details;
  }
}

/** A failure before anything was sent: configuration, input, the queue. */
export function notSent(code: Code, phase: Phase, facts: Partial<Facts> = {}): TenantError {
  return new TenantError(code, phase, { sent: "no", outcome: "not-applied", ...facts });
}

export function dropped(): TenantError {
  return notSent("ERR_DROPPED", "queue");
}

/** The error of a waiting request that somebody has cancelled, or whose place a message with the same key has taken. */
export function cancelled(by: "cancel" | "replaced"): TenantError {
  return notSent("ERR_CANCELLED", "queue", { by, ...(by === "replaced" && { key: "replaced" }) });
}

/** The process ended while the request was in flight. */
export function lost(): TenantError {
  return new TenantError("ERR_CONNECTION_LOST", "request", { sent: "maybe", key: "restoredLost" });
}

/** @param notAfter epoch milliseconds */
export function expired(notAfter: number): TenantError {
  return notSent("ERR_EXPIRED", "queue", { params: { notAfter: new Date(notAfter).toISOString() } });
}

/** The backlog, or another store with a `key` of its own, fails: nothing was sent. */
export function engineFailure(error: unknown, key: ErrorKey = "ERR_ENGINE"): TenantError {
  const reason = error instanceof Error ? error.message : String(error);
  return notSent("ERR_ENGINE", "queue", { key, params: { reason } });
}
