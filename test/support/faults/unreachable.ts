import type { LookupFunction } from "node:net";
import { freePort } from "../process/free-port";

/** Row 1: a port of 127.0.0.1 without a listener. */
export const refusedPort = freePort;

/** Row 2: a name that no resolver knows, by RFC 6761. */
export const unknownHost = "tenant.invalid";

/** Makes the lookup of row 2, which fails as the system's does, by default as when the resolver cannot be reached. */
export const failingLookup =
  (code: "EAI_AGAIN" | "ENOTFOUND" = "EAI_AGAIN"): LookupFunction =>
  (hostname, _options, callback) => {
    const error = Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), {
      code,
      syscall: "getaddrinfo",
      hostname,
    });
    setImmediate(callback, error, "");
  };
