import type { ErrorKey } from "../fields/text-key";
import { type Envelope, readEnvelope } from "./envelope";
import { type Details, type Outcome, type Sent, TenantError } from "./errors";
import { excerpt, logExcerpt, type Redact } from "./redact";
import { retryAfterMs } from "./retry-after";
import { ConnectError, isCertificateProblem } from "./transport/connect-attempt";
import { type Answer, type Broken, TooLargeError } from "./transport/exchange";

/** An accepted request. */
export interface Success {
  readonly status: number;
  readonly envelope: Envelope;
}

/** How bad it is not to know what became of a request. */
export interface UnknownOutcome {
  /** `not-applied` for what only reads, `unknown` for the rest. */
  readonly outcome: Outcome;
  /** Whether a flow may safely send the message again. */
  readonly retryable: boolean;
}

export interface Circumstances {
  readonly doubt: UnknownOutcome;
  readonly redact: Redact;
  readonly host: string;
  /** Wall clock, epoch milliseconds: a Retry-After may be a date. */
  readonly now: number;
}

/** The deadline struck while an exchange was under way. */
export class DeadlineError extends Error {}

/** Judges a complete answer. The status line is all that a refusal needs; a success needs the envelope. */
export function judge(answer: Answer, circumstances: Circumstances): Success | TenantError {
  const { status } = answer;
  const { doubt, redact } = circumstances;
  const reading = readEnvelope(answer.body);
  const envelope = reading.kind === "envelope" ? reading.envelope : undefined;
  // Nearly every answer ends here, before anything that only a failure needs.
  if (status < 300 && envelope?.success === true) return { status, envelope };
  const said = reading.kind === "envelope" ? reading.envelope : reading.object;
  const details: Details = { httpStatus: status, ...(said && serviceWords(said, redact)) };
  const params = { status, service: details.serviceMessage ? `: ${logExcerpt(details.serviceMessage, redact)}` : "" };
  const fail = (
    code: TenantError["code"],
    { outcome, retryable }: UnknownOutcome,
    more: Details = {},
    key: ErrorKey = code,
  ) => {
    const error = new TenantError(code, "parse", "yes", outcome, retryable, { ...details, ...more }, key, params);
    if (envelope) error.envelope = envelope;
    return error;
  };
  const refused = { outcome: "rejected", retryable: false } as const;

  if (status >= 500) return fail("ERR_SERVER", doubt);
  if (status === 429) {
    const wait = retryAfterMs(answer.headers["retry-after"], circumstances.now);
    return fail(
      "ERR_RATE_LIMITED",
      { outcome: "rejected", retryable: true },
      wait === undefined ? {} : { retryAfterMs: wait },
    );
  }
  if (status === 401 || status === 403) return fail("ERR_AUTH", refused);
  if (status >= 400)
    return fail("ERR_REJECTED", refused, {}, namesParty(answer.body) ? "rejectedParty" : "ERR_REJECTED");
  if (status >= 300) return fail("ERR_REDIRECT", refused);
  if (envelope?.success === false) return fail("ERR_REJECTED", refused);

  const text = reading.kind === "other" ? reading.text : "";
  // A body that ends with its connection and stops half-way was lost on the way; the same body with a length was meant so.
  const delimited = answer.headers["content-length"] !== undefined || answer.headers["transfer-encoding"] !== undefined;
  const lost = !delimited && status !== 204 && reading.kind === "other" && reading.truncated;
  const shown = logExcerpt(text, redact);
  return new TenantError(
    "ERR_BAD_RESPONSE",
    lost ? "body" : "parse",
    "yes",
    doubt.outcome,
    doubt.retryable,
    details,
    shown === "" ? "emptyResponse" : "ERR_BAD_RESPONSE",
    { status, excerpt: shown },
  );
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

/** A refusal that speaks of a party field may mean that this tenant reads the dots as a path. */
function namesParty(body: Buffer): boolean {
  return /\b(from|to)\.(type|number|alias)\b/.test(body.toString());
}

/** What undici says of an answer against the rules of HTTP; one that ends too early keeps to them so far. */
const NONSENSE = /^(HPE_(?!INVALID_EOF_STATE)|HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/;

/** Judges an exchange that gave no complete answer. */
export function judgeBroken({ error, started, began, status }: Broken, { doubt, host }: Circumstances): TenantError {
  if (error instanceof TenantError) return error;
  if (!started) return unsent(error, host);
  const sent = began ? "yes" : "maybe";
  const details: Details = { host, ...(status !== undefined && { httpStatus: status }) };
  const phase = status === undefined ? "headers" : "body";
  const fail = (code: TenantError["code"], said: Sent = sent, more: { sys?: string } = {}, key: ErrorKey = code) =>
    new TenantError(code, phase, said, doubt.outcome, doubt.retryable, { ...details, ...more }, key, more);

  if (error instanceof DeadlineError) return fail("ERR_TIMEOUT");
  const sys = codeOf(error);
  if (error instanceof TooLargeError && error.packed) return fail("ERR_RESPONSE_TOO_LARGE", sent, {}, "packedAnswer");
  if (error instanceof TooLargeError || sys === "UND_ERR_HEADERS_OVERFLOW") return fail("ERR_RESPONSE_TOO_LARGE");
  // The parser may give up before it finds as much as the beginning of an answer.
  if (began || sys.startsWith("HPE_"))
    return fail("ERR_BAD_RESPONSE", "yes", { sys }, NONSENSE.test(sys) ? "notHttp" : "answerCut");
  return fail("ERR_CONNECTION_LOST", sent, { sys });
}

const CONNECT_CODES = { dns: "ERR_DNS", connect: "ERR_CONNECT", proxy: "ERR_CONNECT", tls: "ERR_TLS" } as const;

function unsent(error: Error, host: string): TenantError {
  if (!(error instanceof ConnectError)) {
    return new TenantError(
      "ERR_CONNECT",
      "connect",
      "no",
      "not-applied",
      true,
      { host, sys: codeOf(error) },
      "ERR_CONNECT",
      { host },
    );
  }
  const { phase, sys, final } = error;
  const timedOut = phase === "connect" && sys === "TIMEOUT";
  const certificate = isCertificateProblem(error);
  const code = timedOut ? "ERR_CONNECT_TIMEOUT" : CONNECT_CODES[phase];
  const key = certificate ? "certificate" : phase === "proxy" ? "proxyRefused" : code;
  return new TenantError(code, phase, "no", "not-applied", !certificate && !final, { host, sys }, key, { host, sys });
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
