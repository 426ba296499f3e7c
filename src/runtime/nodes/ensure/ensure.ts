import type { JobResult } from "../../../client";
import { perNode } from "../../node-red/node-state";
import type { RunTools } from "../action/declaration";
import { EnsureRun } from "./ensure-run";
import type { Wanted } from "./record";

/** Gives the tenant a schedule, or plans it: see docs/contract/ensure.md. Never rejects. */
export function ensure(wanted: Wanted, tools: RunTools, isPlan: boolean): Promise<JobResult> {
  return oneAtATime(JSON.stringify([tools.target, wanted.name]), () => new EnsureRun(wanted, tools).run(isPlan));
}

/** The last run for each key. Runs go on across a redeploy, beside those of the next instance. */
const last = perNode<Promise<unknown>>("ensure run");

/** Runs when all earlier runs with this key have ended. */
async function oneAtATime<T>(key: string, run: () => Promise<T>): Promise<T> {
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
