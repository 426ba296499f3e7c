import type { ResultSummary } from "../../unit/client/subject";
import type { FaultName } from "./catalogue";

/** The way in which an action may repeat (docs/faults.md#groups-of-actions): N never, R a read or a delete, S once. */
export type Kind = "N" | "GET" | "DELETE" | "S";
export const kinds: Kind[] = ["N", "GET", "DELETE", "S"];

/** The meaning of a fault to each kind of action, written by hand from docs/faults.md and docs/contract/messages.md#failure. */
export type Row = Partial<Omit<ResultSummary, "attempts" | "outcome" | "retryable">> & { ending: Ending };

/**
 * `good`: applied. `unsent`: no connection after three attempts. `certificate`: no connection, and no retry.
 * `lost`: the answer was lost, and actions that may retry do. `unknown`: a useless answer, or none, that no action retries.
 * `refused`: rejected by the service. `limited`: rate limited. `waits`: rate limited, and a read is retried.
 */
export type Ending = "good" | "unsent" | "certificate" | "lost" | "unknown" | "refused" | "limited" | "waits";

export type Expectation = Pick<ResultSummary, "outcome" | "attempts"> & { retryable?: boolean };

const unknownUnlessRead = (kind: Kind, attempts: number): Expectation => ({
  outcome: kind === "GET" ? "not-applied" : "unknown",
  retryable: kind !== "N",
  attempts,
});

export const endings: Record<Ending, (kind: Kind) => Expectation> = {
  good: () => ({ outcome: "applied", attempts: 1 }),
  unsent: () => ({ outcome: "not-applied", retryable: true, attempts: 3 }),
  certificate: () => ({ outcome: "not-applied", retryable: false, attempts: 1 }),
  lost: (kind) => unknownUnlessRead(kind, { N: 1, GET: 3, DELETE: 3, S: 2 }[kind]),
  unknown: (kind) => unknownUnlessRead(kind, 1),
  refused: () => ({ outcome: "rejected", retryable: false, attempts: 1 }),
  limited: () => ({ outcome: "rejected", retryable: true, attempts: 1 }),
  waits: (kind) => ({ outcome: "rejected", retryable: true, attempts: kind === "GET" ? 3 : 1 }),
};

const good: Row = { ending: "good", code: "ok", status: 200 };
const tls: Row = { ending: "unsent", code: "ERR_TLS", phase: "tls", sent: "no" };
const certificate: Row = { ...tls, ending: "certificate" };
const lost: Row = { ending: "lost", code: "ERR_CONNECTION_LOST", phase: "headers", sent: "maybe" };
const late = (sent: "maybe" | "yes"): Row => ({ ending: "unknown", code: "ERR_TIMEOUT", phase: "headers", sent });
const lateBody: Row = { ending: "unknown", code: "ERR_TIMEOUT", phase: "body", sent: "yes", status: 200 };
const cut: Row = { ending: "lost", code: "ERR_BAD_RESPONSE", phase: "body", sent: "yes", status: 200 };
const noAnswer: Row = { ending: "lost", code: "ERR_BAD_RESPONSE", phase: "headers", sent: "yes" };
const noEnvelope: Row = { ending: "unknown", code: "ERR_BAD_RESPONSE", phase: "parse", sent: "yes", status: 200 };
const tooLarge: Row = { ending: "unknown", code: "ERR_RESPONSE_TOO_LARGE", phase: "body", sent: "yes", status: 200 };
const tooLong: Row = { ending: "unknown", code: "ERR_RESPONSE_TOO_LARGE", phase: "headers", sent: "yes" };
const says = (status: number, code: string, ending: Ending): Row => ({
  ending,
  code,
  phase: "parse",
  sent: "yes",
  status,
});
const rejected = (status: number): Row => says(status, "ERR_REJECTED", "refused");
const limited = says(429, "ERR_RATE_LIMITED", "limited");

const table: Record<Exclude<FaultName, `redirect-${string}`>, Row> = {
  "certificate-self-signed": certificate,
  "certificate-expired": certificate,
  "certificate-wrong-name": certificate,
  "plaintext-port": tls,
  "handshake-reset": tls,
  "handshake-fin": tls,
  "handshake-stall": tls,

  "reset-on-accept": lost,
  "reset-unread": lost,
  "fin-on-accept": lost,
  "reset-at-first-byte": lost,
  "reset-after-head": lost,
  "fin-after-head": lost,
  "reset-after-request": lost,
  "fin-after-request": lost,
  "fin-inside-status-line": lost,
  // Their first answer is correct; the second request is in test/unit/client/faults/reuse.test.ts.
  "stale-closed-when-idle": good,
  "stale-reset-on-next": good,
  "stale-fin-on-next": good,

  "no-headers": late("maybe"),
  "headers-dripped": late("yes"),
  "headers-stalled": late("yes"),
  "continue-then-nothing": late("maybe"),
  "continue-for-ever": late("maybe"),
  "body-never-begun": lateBody,
  "body-stalled": lateBody,
  "body-stalled-chunked": lateBody,
  "body-dripped": lateBody,
  "body-dripped-chunked": lateBody,

  "cut-inside-headers": noAnswer,
  "cut-length": cut,
  "cut-length-by-reset": cut,
  "cut-length-after-envelope": cut,
  "cut-chunked": cut,
  "cut-chunked-by-reset": cut,
  "cut-chunked-after-envelope": cut,
  "cut-close-delimited": cut,
  "cut-close-delimited-by-reset": cut,

  "type-html": good,
  "type-missing": good,
  bom: good,
  "chunked-bytewise": good,
  "close-delimited": good,
  "token-in-data": good,

  "html-200": noEnvelope,
  "html-502": says(502, "ERR_SERVER", "lost"),
  "empty-200": noEnvelope,
  "status-204": { ...noEnvelope, status: 204 },
  "json-array": noEnvelope,
  "json-null": noEnvelope,
  "json-string": noEnvelope,
  "json-number": noEnvelope,
  "invalid-utf8": noEnvelope,
  "nested-array": noEnvelope,
  "nested-data": noEnvelope,

  "success-false": rejected(200),
  "success-string": noEnvelope,
  "success-number": noEnvelope,
  "success-null": noEnvelope,
  "success-missing": noEnvelope,

  "huge-length": tooLarge,
  "huge-length-silent": tooLarge,
  "endless-chunks": tooLarge,
  "endless-until-close": tooLarge,
  "gzip-bomb": tooLarge,
  "header-64k": tooLong,
  "headers-64k": tooLong,

  "status-400": rejected(400),
  "status-422": rejected(422),
  "status-404": rejected(404),
  "status-404-bare": rejected(404),
  "status-409": rejected(409),
  "status-400-token": rejected(400),
  "status-401": says(401, "ERR_AUTH", "refused"),
  "status-401-bare": says(401, "ERR_AUTH", "refused"),
  "status-403": says(403, "ERR_AUTH", "refused"),

  // Two seconds fit into the deadline; all others are no valid time, or too long.
  "status-429-seconds": says(429, "ERR_RATE_LIMITED", "waits"),
  "status-429-date": says(429, "ERR_RATE_LIMITED", "waits"),
  "status-429-past-date": says(429, "ERR_RATE_LIMITED", "waits"),
  "status-429-zero": says(429, "ERR_RATE_LIMITED", "waits"),
  "status-429-iso-date": limited,
  "status-429-negative": limited,
  "status-429-fraction": limited,
  "status-429-word": limited,
  "status-429-exponent": limited,
  "status-429-list": limited,
  "status-429-infinity": limited,
  "status-429-hexadecimal": limited,
  "status-429-20-digits": limited,
  "status-429-long": limited,
  "status-429-empty": limited,
  "status-429-absent": limited,

  "status-500": says(500, "ERR_SERVER", "lost"),
  "status-500-bare": says(500, "ERR_SERVER", "lost"),
  "status-502": says(502, "ERR_SERVER", "lost"),
  "status-502-bare": says(502, "ERR_SERVER", "lost"),
  "status-503": says(503, "ERR_SERVER", "lost"),
  "status-503-bare": says(503, "ERR_SERVER", "lost"),
  "status-504": says(504, "ERR_SERVER", "lost"),
  "status-504-bare": says(504, "ERR_SERVER", "lost"),

  "not-http": noAnswer,
  "http-0.9": noAnswer,
  "length-and-chunked": noAnswer,
  "two-lengths": noAnswer,
  "extra-response": good,
  "extra-response-when-idle": good,
};

export function rowOf(name: FaultName): Row {
  const redirect = /^redirect-(\d+)-/.exec(name);
  if (redirect) return says(Number(redirect[1]), "ERR_REDIRECT", "refused");
  return table[name as keyof typeof table];
}

/** For these, the client cannot know whether a byte was already sent. */
export const AMBIGUOUS: FaultName[] = ["reset-on-accept", "fin-on-accept"];

/** Whether a result is possible for them: every attempt was unsent or maybe sent, and the result describes the last one. */
export function isPlausible({ code, sent, outcome, retryable }: Partial<ResultSummary>, kind: Kind): boolean {
  const maybeSent = sent === "maybe";
  const codes = maybeSent ? ["ERR_CONNECTION_LOST", "ERR_CONNECT"] : ["ERR_CONNECT"];
  return (
    (maybeSent || sent === "no") &&
    codes.includes(String(code)) &&
    outcome === (maybeSent ? endings.lost(kind).outcome : "not-applied") &&
    retryable === (kind !== "N" || !maybeSent)
  );
}
