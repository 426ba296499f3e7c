import type { ErrorKey } from "../fields";
import { type Envelope, readEnvelope } from "./envelope";
import { type Code, type Details, type Facts, notSent, type Outcome, type Phase, TenantError } from "./errors";
import { excerpt, logExcerpt, type Redact } from "./redact";
import { ConnectError, isCertificateProblem } from "./transport/connect-attempt";
import { type Answer, type Broken, TooLargeError } from "./transport/exchange";

export interface Success {
  readonly status: number;
  readonly envelope: Envelope | null;
}

/** Outcome and retryability of a failure, if the answer to the request was lost. */
export interface UnknownOutcome {
  /** `not-applied` for reads, `unknown` for everything else. */
  readonly outcome: Outcome;
  /** Whether a flow may safely send the message again. */
  readonly retryable: boolean;
}

interface AttemptContext {
  readonly ifUnknown: UnknownOutcome;
  readonly redact: Redact;
  readonly host: string;
  /** Whether the tenant's style is found out: no refusal is met by another setting. */
  readonly findsStyle?: boolean;
  /** The sentence for a 404 of the service. */
  readonly missing?: ErrorKey | undefined;
  /** Wall clock, epoch milliseconds: a Retry-After may be a date. */
  readonly now: number;
}

/** The deadline passed, or the client stopped, while an exchange was in flight. */
export class DeadlineError extends Error {}

/**
 * Classifies a complete answer: a success needs a status of 2xx and an envelope with `success: true`, while the status
 * alone decides the kind of a failure. Codes are listed in docs/contract/messages.md.
 */
export function classifyAnswer(answer: Answer, context: AttemptContext): Success | TenantError {
  const { status } = answer;
  const { ifUnknown, redact, host, findsStyle, missing } = context;
  const reading = readEnvelope(answer.body);
  const envelope = reading.kind === "envelope" ? reading.envelope : undefined;
  // Nearly every answer returns here, before the work that only a failure needs.
  if (status < 300 && envelope?.success === true) return { status, envelope };
  const said = reading.kind === "envelope" ? reading.envelope : reading.object;
  const details = { httpStatus: status, ...(said && serviceWords(said, redact)) };
  const service = details.serviceMessage ? `: ${logExcerpt(details.serviceMessage, redact)}` : "";
  const fail = (code: Code, facts: Partial<Facts> = {}, phase: Phase = "parse") => {
    const refused = { sent: "yes", params: { status, service } } as const;
    const error = new TenantError(code, phase, { ...refused, ...details, ...facts });
    if (envelope) error.envelope = envelope;
    return error;
  };

  if (status === 429 || status >= 500) {
    const { "retry-after": wish, date } = answer.headers;
    // The clock here may not be set, or be another than the service's.
    const wait = status === 429 || status === 503 ? retryAfterMs(wish, httpDate(date) ?? context.now) : undefined;
    const facts = {
      ...(status >= 500 && ifUnknown),
      ...(wait !== undefined && { retryAfterMs: wait }),
    };
    return fail(status === 429 ? "ERR_RATE_LIMITED" : "ERR_SERVER", facts);
  }
  if (status === 401 || status === 403) return fail("ERR_AUTH");
  // Without the envelope, it is another server's, or at the wrong path.
  if (status === 404 && envelope?.["code"] === undefined)
    return fail("ERR_REJECTED", { key: "notService", params: { status, host, service } });
  if (status === 404 && missing) return fail("ERR_REJECTED", { key: missing });
  if (status >= 400)
    return fail("ERR_REJECTED", !findsStyle && namesParty(answer.body) ? { key: "rejectedParty" } : {});
  if (status >= 300) return fail("ERR_REDIRECT");
  if (reading.kind === "envelope") return fail("ERR_REJECTED");

  // Without a length, half a body that ends with its connection was cut off. With a length, the service sent it so.
  const delimited = answer.headers["content-length"] !== undefined || answer.headers["transfer-encoding"] !== undefined;
  const lost = !delimited && status !== 204 && reading.truncated;
  const shown = logExcerpt(reading.text, redact);
  const key = shown === "" ? "emptyResponse" : "ERR_BAD_RESPONSE";
  return fail("ERR_BAD_RESPONSE", { ...ifUnknown, key, params: { status, excerpt: shown } }, lost ? "body" : "parse");
}

function serviceWords(said: Readonly<Record<string, unknown>>, redact: Redact): Details {
  const { code, message } = said;
  return {
    ...((typeof code === "number" || typeof code === "string") && {
      serviceCode: typeof code === "string" ? excerpt(code, redact) : code,
    }),
    ...(typeof message === "string" && { serviceMessage: excerpt(message, redact) }),
  };
}

/** A refusal that names a party field may mean that this tenant reads the dots as a path. */
function namesParty(body: Buffer): boolean {
  return /\b(from|to)\.(type|number|alias)\b/.test(body.toString());
}

/** undici's codes for an answer that breaks the rules of HTTP, as opposed to one that is cut off. */
const NOT_HTTP = /^(HPE_(?!INVALID_EOF_STATE)|HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/;

/** Classifies an exchange that ended without a complete answer. */
export function classifyBroken(
  { error, started, began, status }: Broken,
  { ifUnknown, host }: AttemptContext,
): TenantError {
  if (error instanceof TenantError) return error;
  if (!started) return unsent(error, host);
  const sys = codeOf(error);
  const phase = status === undefined ? "headers" : "body";
  const fail = (code: Code, facts: Partial<Facts> = {}) => {
    const known = {
      sent: began ? "yes" : "maybe",
      ...ifUnknown,
      host,
      ...(status !== undefined && { httpStatus: status }),
    } as const;
    return new TenantError(code, phase, { ...known, ...facts });
  };

  if (error instanceof DeadlineError) return fail("ERR_TIMEOUT");
  if (error instanceof TooLargeError && error.packed) return fail("ERR_RESPONSE_TOO_LARGE", { key: "packedAnswer" });
  if (error instanceof TooLargeError || sys === "UND_ERR_HEADERS_OVERFLOW") return fail("ERR_RESPONSE_TOO_LARGE");
  const withCode = { sys, params: { sys } };
  // The parser may fail before it has recognised the start of an answer, but something was answered.
  if (began || sys.startsWith("HPE_"))
    return fail("ERR_BAD_RESPONSE", { sent: "yes", ...withCode, key: NOT_HTTP.test(sys) ? "notHttp" : "answerCut" });
  return fail("ERR_CONNECTION_LOST", withCode);
}

const CONNECT_CODES = { dns: "ERR_DNS", connect: "ERR_CONNECT", proxy: "ERR_CONNECT", tls: "ERR_TLS" } as const;

function unsent(error: Error, host: string): TenantError {
  if (!(error instanceof ConnectError))
    return notSent("ERR_CONNECT", "connect", { retryable: true, host, sys: codeOf(error), params: { host } });
  const { phase, sys, final } = error;
  const code = phase === "connect" && sys === "TIMEOUT" ? "ERR_CONNECT_TIMEOUT" : CONNECT_CODES[phase];
  const certificate = isCertificateProblem(error);
  const key =
    phase === "proxy" ? (certificate ? "proxyCertificate" : "proxyRefused") : certificate ? "certificate" : code;
  return notSent(code, phase, { retryable: !certificate && !final, host, sys, key, params: { host, sys } });
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/**
 * Reads the milliseconds to wait from a `Retry-After` header; `undefined` unless it is plain digits (seconds) or an HTTP date.
 * @param now epoch milliseconds on the clock of the date form
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header === "string" && /^\s*\d{1,60}\s*$/.test(header))
    return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER);
  const at = httpDate(header);
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** Reads the only HTTP date that senders may still generate (RFC 9110, IMF-fixdate), in epoch milliseconds. */
function httpDate(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string" || !HTTP_DATE.test(header)) return undefined;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}

const HTTP_DATE =
  /^\s*(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT\s*$/;
