import { setTimeout as sleep } from "node:timers/promises";

/** Polls until there is a value to return. The test's timeout is the limit. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
}
