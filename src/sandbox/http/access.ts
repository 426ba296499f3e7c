import { createHash, timingSafeEqual } from "node:crypto";

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

/** Compares headers with `Bearer <token>` in constant time, so that the time reveals neither length nor prefix. */
export function bearerCheck(token: string): (header: unknown) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (header) => typeof header === "string" && timingSafeEqual(digest(header), expected);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
