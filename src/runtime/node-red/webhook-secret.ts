import { createHash, timingSafeEqual } from "node:crypto";
import type { Request } from "express";
import { readSecret } from "../../fields/kinds/fixed";
import { variableOf } from "../../fields/variable";
import { refusal } from "../../hours/value-error";
import { type Signing, sign, signatureHeaders } from "./webhook-schemes";

const SECRET_HEADER = "x-call-secret";
const BEARER = /^bearer +(?=.)/i;
const BASIC = /^basic +(?=.)/i;
/** The words that may precede the secret in a header of its own. */
const TOKEN = /^(?:bearer|token) +(?=.)/i;

/** The proof by which the senders of a webhook show that they have its secret. */
export interface Sender extends Signing {
  /** The only header that may have the secret, in small letters. */
  readonly header: string;
}

/** @param config of a webhook, as a flow file has it */
export function senderOf(config: Readonly<Record<string, unknown>>): Sender {
  const [header = "", sign = "", scheme = ""] = ["header", "sign", "scheme"].map((name) =>
    String(config[name] ?? "")
      .trim()
      .toLowerCase(),
  );
  return { header, sign, scheme };
}

export function isSigning({ sign, scheme }: Signing): boolean {
  return sign !== "" || scheme !== "";
}

/**
 * The secret of a node; without one, the variable that it should come from: Node-RED leaves its name in place if it is not set.
 * @param stored what the flow file has
 */
export function secretOf(
  credential: unknown,
  stored: unknown,
): { readonly secret?: string; readonly variable?: string | undefined } {
  const text = typeof credential === "string" ? credential : "";
  return isSecret(text) ? { secret: text } : { variable: variableOf(stored) };
}

export function isSecret(text: string, scheme = ""): boolean {
  return refusal(() => readSecret(text, scheme)) === undefined;
}

/**
 * The headers of a request with what its webhook asks for, the secret or a signature, unless it brings something of its own.
 * @param headers their names in small letters
 * @param target its path or address, with the query
 * @param at when it is sent, epoch milliseconds
 * @param id of the message, where ids are signed and it has none
 */
export function withSecret(
  headers: Readonly<Record<string, string>>,
  target: string,
  body: string,
  sender: Sender & { readonly secret: string },
  at: number,
  id: string,
): Readonly<Record<string, string>> {
  const { header, secret } = sender;
  const bringsOwn =
    carriers(sender).some((name) => Object.hasOwn(headers, name)) ||
    BEARER.test(headers["authorization"] ?? "") ||
    new URLSearchParams(target.replace(/^[^?]*/, "")).has("secret");
  if (bringsOwn) return headers;
  if (isSigning(sender)) return sign(headers, sender, secret, body, at, id);
  return { ...headers, [header || SECRET_HEADER]: secret };
}

/** The headers that may hold the secret or a signature, besides a login. */
function carriers(sender: Sender): readonly string[] {
  return [SECRET_HEADER, ...(sender.header ? [sender.header] : []), ...signatureHeaders(sender)];
}

/**
 * Whether a request brings the secret: in the header for it, or else in ours, as a bearer token, in the query, or as the password
 * of a login that is not Node-RED's own.
 */
export function bringsSecret(
  { rawHeaders, query }: Request,
  { header }: Sender,
  secret: string,
  isOwnLogin: boolean,
): boolean {
  // Node.js joins or drops what comes twice.
  const [owns, logins]: [string[], string[]] = [[], []];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    if (name === (header || SECRET_HEADER)) owns.push(rawHeaders[at + 1] ?? "");
    if (name === "authorization") logins.push(rawHeaders[at + 1] ?? "");
  }
  const own = owns.length === 1 ? owns[0] : undefined;
  const login = (logins.length === 1 && logins[0]) || "";
  const bearer = BEARER.test(login) && login.replace(BEARER, "");
  const pair = BASIC.test(login) && !isOwnLogin ? Buffer.from(login.replace(BASIC, ""), "base64").toString() : "";
  const password = /^[^:]*:(.*)$/s.exec(pair)?.[1];
  // A list of the query's, `secret[]`, is none: it has names under which it would stay in the address.
  const given = header ? [own, own?.replace(TOKEN, "")] : [own, bearer, password, query["secret"]];
  // The digests are compared, which have one length.
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return given.some((text) => typeof text === "string" && timingSafeEqual(digest(text), digest(secret)));
}

/** Headers of logins and sessions. */
export const LOGINS: readonly string[] = ["authorization", "proxy-authorization", "cookie"];

/** The headers of a request without logins, and without what carries the secret or a signature. */
export function headersWithoutProof(
  headers: Request["headers"],
  sender: Sender,
  secret: string,
): Readonly<Record<string, string>> {
  const hidden = [...LOGINS, ...carriers(sender)];
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value !== "string" || hidden.includes(name) || (secret && value.includes(secret)) ? [] : [[name, value]],
    ),
  );
}

/** The request for a flow that answers itself. The secret is gone from all that Node and Express have made of it, too. */
export function withoutSecret(
  request: Request,
  body: unknown,
  sender: Sender,
  secret: string,
  isOwnLogin: boolean,
): Request {
  const { headers, query, baseUrl } = request;
  for (const name of carriers(sender)) delete headers[name];
  const { authorization = "" } = headers;
  if (BEARER.test(authorization) || (BASIC.test(authorization) && !isOwnLogin)) delete headers.authorization;
  for (const [name, value] of Object.entries(headers)) if (String(value).includes(secret)) delete headers[name];
  delete query["secret"];
  const { pathname, searchParams } = new URL(request.url, "http://webhook");
  searchParams.delete("secret");
  // As the HTTP In node does: the Debug sidebar shows what is enumerable.
  Object.defineProperty(request, "headers", { value: headers, enumerable: true });
  const url = pathname + (searchParams.size > 0 ? `?${searchParams}` : "");
  return Object.assign(request, { url, originalUrl: baseUrl + url, rawHeaders: [], _parsedUrl: undefined, body });
}
