import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { LIMIT_MS } from "../until";

const PAUSE_MS = 50;
/** Longer than the others of `until`, which need no other process. */
const USUAL_MS = (4 / 3) * LIMIT_MS;
/** For what takes a start of Node-RED, or the time in which a lease of 15 seconds runs out and another instance takes over. */
export const LONG_MS = 4 * LIMIT_MS;

/** An error that makes further attempts pointless. */
export class FinalError extends Error {}

/**
 * Polls until there is a value to return. Errors are retried; the last one is thrown at the end. What another process printed before it
 * made the value has been read by then.
 */
export async function eventually<T>(
  attempt: () => Promise<T | undefined> | T | undefined,
  limitMs = USUAL_MS,
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
