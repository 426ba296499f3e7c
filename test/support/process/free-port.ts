import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral ports: these begin at 32768 on Linux, at 49152 elsewhere. */
const FIRST = 20_000;
const COUNT = 12_000;

// Test runs side by side begin far from each other: theirs are ids of about the same time, and this is the golden section.
let next = process.pid * 7417;

/**
 * A loopback port without a listener, for a server that needs its port in advance or listens again: the system does not
 * assign it to any other process in the meantime.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next += 1;
    const port = FIRST + (next % COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
