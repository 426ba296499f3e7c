import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { LIMIT_MS } from "../until";

const PAUSE_MS = 50;

/** An error that makes further attempts pointless. */
export class FinalError extends Error {}

/**
 * Polls until there is a value to return. Errors are retried; the last one is thrown at the end. What another process printed before it
 * made the value has been read by then.
 */
export async function eventually<T>(
  attempt: () => Promise<T | undefined> | T | undefined,
  // Another instance takes over when a lease of 15 seconds has run out.
  limitMs = 2 * LIMIT_MS,
): Promise<T> {
  let last: unknown = new Error(`nothing after ${limitMs / 1000} s: ${attempt}`);
  for (let left = limitMs / PAUSE_MS; left > 0; left -= 1, await sleep(PAUSE_MS)) {
    try {
      const found = await attempt();
      if (found === undefined) continue;
      await nextTurn();
      return found;
    } catch (error) {
      if (error instanceof FinalError) throw error;
      last = error;
    }
  }
  throw last;
}
