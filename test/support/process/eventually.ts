import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Below mocha's limit, so that what was missing is in the report. */
const LIMIT_MS = 120_000;

/** An error that makes further attempts pointless. */
export class FinalError extends Error {}

/**
 * Polls until there is a value to return. Errors are retried; the last one is thrown after two minutes. What another process printed before
 * it made the value has been read by then.
 */
export async function eventually<T>(attempt: () => Promise<T | undefined> | T | undefined): Promise<T> {
  let last: unknown = new Error(`nothing after ${LIMIT_MS} ms: ${attempt}`);
  for (const limit = performance.now() + LIMIT_MS; performance.now() < limit; await sleep(50)) {
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
