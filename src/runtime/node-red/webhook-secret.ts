import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { readSecret } from "../../fields/setting";
import { refusal } from "../../hours/value-error";

const SECRET_HEADER = "x-call-secret";
const BEARER = /^bearer +(?=.)/i;
/** Where a secret comes from the environment. Node-RED leaves it in place if the variable is not set. */
const VARIABLE = /\$\{([^}]*)\}/;

/**
 * The secret of a node; without one, the variable that it should come from.
 * @param stored what the flow file has
 */
export function secretOf(
  credential: unknown,
  stored: unknown,
): { readonly secret?: string; readonly variable?: string | undefined } {
  const text = typeof credential === "string" ? credential : "";
  return isSecret(text) ? { secret: text } : { variable: variableIn(stored) };
}

/** The variable that the secret of a node comes from, if it does. */
export function variableIn(stored: unknown): string | undefined {
  return VARIABLE.exec(String(stored))?.[1];
}

export function isSecret(text: string): boolean {
  return refusal(() => readSecret(text)) === undefined;
}

/**
 * The headers of a request with what its webhook asks for, the secret or the signature of the body, unless it brings something of
 * its own.
 * @param headers their names in small letters
 * @param target its path or address, with the query
 * @param sign as the node has it, for its header
 */
export function withSecret(
  headers: Readonly<Record<string, string>>,
  target: string,
  body: string,
  { sign, secret }: { readonly sign: unknown; readonly secret: string },
): Readonly<Record<string, string>> {
  const signed = String(sign ?? "")
    .trim()
    .toLowerCase();
  const bringsOwn =
    [SECRET_HEADER, signed].some((name) => Object.hasOwn(headers, name)) ||
    BEARER.test(headers["authorization"] ?? "") ||
    new URLSearchParams(target.replace(/^[^?]*/, "")).has("secret");
  if (bringsOwn) return headers;
  return { ...headers, ...(signed ? { [signed]: hmac(body, secret).toString("hex") } : { [SECRET_HEADER]: secret }) };
}

/** Whether a request brings the secret: in its header, as a bearer token, or in the query. */
export function bringsSecret({ headers, query }: Request, secret: string): boolean {
  const { authorization = "" } = headers;
  const bearer = BEARER.test(authorization) ? authorization.replace(BEARER, "") : undefined;
  // The digests are compared, which have one length.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  // A list of the query's, `secret[]`, is none: it has names under which it would stay in the address.
  return [headers[SECRET_HEADER], bearer, query["secret"]].some(
    (given) => typeof given === "string" && timingSafeEqual(digest(given), digest(secret)),
  );
}

/** Whether a header has the HMAC-SHA256 of the body, in hex or base64. */
export function isSigned({ headers }: Request, name: string, body: Buffer, secret: string): boolean {
  const given = String(headers[name]).replace(/^sha256=/i, "");
  const isHex = /^[\da-f]{64}$/i.test(given);
  if (!isHex && !/^[A-Za-z\d+/]{43}=?$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, isHex ? "hex" : "base64"), hmac(body, secret));
}

function hmac(body: Buffer | string, secret: string): Buffer {
  return createHmac("sha256", secret).update(body).digest();
}

/** The request for a flow that answers itself. The secret is gone from all that Node and Express have made of it, too. */
export function withoutSecret(request: Request, body: unknown): Request {
  const { headers, query, baseUrl } = request;
  delete headers[SECRET_HEADER];
  if (BEARER.test(headers.authorization ?? "")) delete headers.authorization;
  delete query["secret"];
  const { pathname, searchParams } = new URL(request.url, "http://webhook");
  searchParams.delete("secret");
  // As the HTTP In node does: the Debug sidebar shows what is enumerable.
  Object.defineProperty(request, "headers", { value: headers, enumerable: true });
  const url = pathname + (searchParams.size > 0 ? `?${searchParams}` : "");
  return Object.assign(request, { url, originalUrl: baseUrl + url, rawHeaders: [], _parsedUrl: undefined, body });
}
