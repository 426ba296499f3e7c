import { once } from "node:events";
import type { LookupFunction } from "node:net";
import { type AddressInfo, createServer } from "node:net";

/** Row 1: a port of 127.0.0.1 on which nobody listens. */
export async function refusedPort(): Promise<number> {
  // A port just given back is the last one the system hands out again.
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Row 2: a name that no resolver knows, by RFC 6761. */
export const unknownHost = "tenant.invalid";

/** Row 2: a lookup that fails as the system's does, by default as when the resolver cannot be reached. */
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
