import { setTimeout as sleep } from "node:timers/promises";

/** Asks again until there is something to return. How long that may take is for the test's timeout to say. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(50);
  }
}
