import type { ConfigKey } from "../../fields/text-key";
import { notSent, type TenantError } from "../errors";

/** A checked base address: origin, and path prefix without a trailing slash. */
export interface Address {
  readonly origin: string;
  readonly prefix: string;
  readonly hostname: string;
  readonly loopback: boolean;
}

/**
 * Reads a base address: https, or http for a loopback host. A pasted `/api/v1` and trailing slashes are removed.
 * @throws TenantError ERR_CONFIG
 */
export function parseAddress(text: string): Address {
  if (text === "") throw badAddress("addressMissing");
  if (text.length > 2048 || !URL.canParse(text)) throw badAddress("addressUnreadable");
  const url = new URL(text);
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw badAddress("addressProtocol");
  if (url.protocol === "http:" && !loopback) throw badAddress("addressNotSecure");
  if (url.username !== "" || url.password !== "") throw badAddress("addressUserInfo");
  // `search` and `hash` are empty for a bare "?" or "#", which is a mistake, too.
  if (/[?#]/.test(text)) throw badAddress("addressQuery");
  const prefix = withoutSlashes(withoutSlashes(url.pathname).replace(/\/api\/v1$/, ""));
  return { origin: url.origin, prefix, hostname: url.hostname, loopback };
}

/** The path without trailing slashes; `/\/+$/` would look at each run of slashes inside it again and again. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

function badAddress(key: ConfigKey): TenantError {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, field: "url" });
}

/**
 * Whether a host name, as parsed by WHATWG's URL, is this machine: exactly localhost, 127.0.0.0/8 or [::1].
 * Similar names (`localhost.`, `127.0.0.1.nip.io`) are not.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
