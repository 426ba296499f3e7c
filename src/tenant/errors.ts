import type { ErrorKey, Params } from "../fields";
import type { Envelope } from "./envelope";

/** What went wrong, for a flow to act on (docs/contract.md#error-codes). */
export type Code =
  | "ERR_CONFIG"
  | "ERR_INPUT"
  // The deduplication key was used before: nothing was sent for this message, and `cause.first` names the first use.
  | "ERR_DUPLICATE"
  | "ERR_EXPIRED"
  | "ERR_DROPPED"
  | "ERR_BACKLOG_FULL"
  | "ERR_DNS"
  | "ERR_CONNECT"
  | "ERR_CONNECT_TIMEOUT"
  | "ERR_TLS"
  | "ERR_AUTH"
  | "ERR_REJECTED"
  // 429: nothing was applied, and `cause.retryAfterMs` says when to try again, if the service did.
  | "ERR_RATE_LIMITED"
  | "ERR_REDIRECT"
  | "ERR_CONNECTION_LOST"
  | "ERR_TIMEOUT"
  | "ERR_SERVER"
  | "ERR_BAD_RESPONSE"
  | "ERR_RESPONSE_TOO_LARGE"
  | "ERR_SCHEDULE";

/** `no`: provably no byte of the request reached a connected socket. `yes`: a response began (docs/contract.md#the-cause). */
export type Sent = "no" | "maybe" | "yes";

/** `unknown`: the call may exist; never repeat it blindly. */
export type Outcome = "not-applied" | "rejected" | "unknown" | "applied";

export type Phase =
  | "config"
  | "input"
  | "queue"
  | "dns"
  | "connect"
  | "proxy"
  | "tls"
  | "request"
  | "headers"
  | "body"
  | "parse";

/** Further facts about a failure; plain JSON. */
export interface Details {
  readonly sentAt?: string;
  readonly field?: string;
  readonly source?: string;
  /** The first use of a deduplication key. */
  readonly first?: { readonly at: string; readonly outcome: Outcome | "pending" };
  readonly host?: string;
  readonly httpStatus?: number;
  readonly serviceCode?: number | string;
  readonly serviceMessage?: string;
  readonly retryAfterMs?: number;
  /** The system's error code, e.g. `ECONNREFUSED`. */
  readonly sys?: string;
}

/** A failure of one attempt or of a whole request. Its key and parameters identify a sentence of the catalogue. */
export class TenantError extends Error {
  /** The envelope of a refusal, as received. */
  envelope?: Envelope;

  constructor(
    readonly code: Code,
    readonly phase: Phase,
    readonly sent: Sent,
    readonly outcome: Outcome,
    readonly retryable: boolean,
    readonly details: Details = {},
    /** Key below `errors` in the catalogue; differs from the code if that has several sentences. */
    readonly key: ErrorKey = code,
    readonly params: Params = {},
  ) {
    super(code);
    this.name = code;
  }
}

/** A failure before anything was sent: configuration, input, the queue. */
export function notSent(
  code: Code,
  phase: Phase,
  {
    retryable = false,
    key,
    params,
    ...details
  }: Details & { retryable?: boolean; key?: ErrorKey; params?: Params } = {},
): TenantError {
  return new TenantError(code, phase, "no", "not-applied", retryable, details, key, params);
}
