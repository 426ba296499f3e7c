import { perNode } from "../../node-red/node-state";

/** The last run for each key. Runs go on across a redeploy, beside those of the next instance. */
const last = perNode<Promise<unknown>>("ensure run");

/** Runs when all earlier runs with this key have ended. */
export async function oneAtATime<T>(key: string, run: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const mine = (async () => {
    await before?.catch(() => {});
    return run();
  })();
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}
