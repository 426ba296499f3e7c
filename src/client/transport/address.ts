import { toAddress } from "../../fields/kinds/fixed";
import { isLoopback } from "../../json/rules";
import { API } from "../operations";

/** A checked base address: origin, and path prefix without a trailing slash. */
export interface Address {
  readonly origin: string;
  readonly prefix: string;
  readonly hostname: string;
  readonly loopback: boolean;
}

/** Reads a base address. A pasted `/api/v1` and trailing slashes are removed. Throws `ValueError`. */
export function parseAddress(text: string): Address {
  const { origin, hostname, pathname } = new URL(toAddress(text, "url"));
  const path = pathname.replace(/\/+$/, "");
  const prefix = (path.endsWith(API) ? path.slice(0, -API.length) : path).replace(/\/+$/, "");
  return { origin, prefix, hostname, loopback: isLoopback(hostname) };
}
