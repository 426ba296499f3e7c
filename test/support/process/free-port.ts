import { once } from "node:events";
import { createServer } from "node:net";

/** Below all that systems give away by themselves: Linux begins at 32768, others at 49152. */
const FIRST = 20_000;
const COUNT = 12_000;

// Test runs side by side begin far from each other.
let next = process.pid * 1009;

/**
 * A port of loopback on which nobody listens, for whoever must be told its port or comes back to it: in the meantime the
 * system gives it to nobody else.
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
