import { ValueError } from "../../hours/value-error";
import { isLoopback } from "../../json/rules";
import { API } from "../operations";

/** A checked base address: origin, and path prefix without a trailing slash. */
export interface Address {
  readonly origin: string;
  readonly prefix: string;
  readonly hostname: string;
  readonly loopback: boolean;
}

/**
 * Reads a base address: https, or http for a loopback host. A pasted `/api/v1` and trailing slashes are removed.
 * @throws ValueError
 */
export function parseAddress(text: string): Address {
  if (text === "") throw new ValueError("config.addressMissing", "url");
  if (text.length > 2048 || !URL.canParse(text)) throw new ValueError("config.addressUnreadable", "url");
  const url = new URL(text);
  const loopback = isLoopback(url.hostname);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new ValueError("config.addressProtocol", "url");
  if (url.protocol === "http:" && !loopback) throw new ValueError("config.addressNotSecure", "url");
  if (url.username !== "" || url.password !== "") throw new ValueError("config.addressUserInfo", "url");
  // `search` and `hash` are empty for a bare "?" or "#", which is a mistake, too.
  if (/[?#]/.test(text)) throw new ValueError("config.addressQuery", "url");
  const path = url.pathname.replace(/\/+$/, "");
  const prefix = (path.endsWith(API) ? path.slice(0, -API.length) : path).replace(/\/+$/, "");
  return { origin: url.origin, prefix, hostname: url.hostname, loopback };
}
