import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether the Host header names the sandbox. Listening on 127.0.0.1 does not keep web pages out: a page's own host name
 * may be made to resolve to that address (DNS rebinding), but its requests still carry that name in their Host header.
 */
export function isOwnHost(host: string | undefined, port: number): host is string {
  const [, name, ownPort = "80"] = /^(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? "") ?? [];
  return name !== undefined && Number(ownPort) === port;
}

/** Whether a request comes from the sandbox's own page or from a client that is no browser and sends no Origin. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
}

/** A token is 1 to 4,096 printable ASCII characters without blanks. */
export function isToken(value: string): boolean {
  return /^[\x21-\x7E]{1,4096}$/.test(value);
}

/**
 * Checks the access token of a request: returns a sentence if it is missing or wrong, `undefined` if it is right. The comparison
 * takes constant time, so that the time reveals neither length nor prefix.
 * @param name the header that carries the token
 * @param where a sentence about where to find the token
 */
export function tokenCheck(
  token: string,
  name: string,
  where: string,
): (headers: IncomingHttpHeaders) => string | undefined {
  const expected = digest(`Bearer ${token}`);
  const form = "the word Bearer, a space and the access token";
  return (headers) => {
    const value = headers[name.toLowerCase()];
    if (typeof value === "string" && timingSafeEqual(digest(value), expected)) return undefined;
    if (value === undefined && headers.authorization !== undefined)
      return `The token came in the header Authorization, but this tenant reads the header ${name}.`;
    if (value === undefined) return `The header ${name} is missing. It must be ${form}. ${where}`;
    if (!/^Bearer \S+$/.test(String(value))) return `The header ${name} must be ${form}. ${where}`;
    return `This is not the access token of this sandbox. ${where}`;
  };
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
