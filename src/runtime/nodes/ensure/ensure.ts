import type { JobResult } from "../../../tenant";
import type { RunTools } from "../action/declaration";
import { EnsureRun } from "./ensure-run";
import { oneAtATime } from "./one-at-a-time";
import type { Wanted } from "./record";

/** Gives the tenant a schedule, or plans it: see docs/contract.md#business-hour-ensure. Never rejects. */
export function ensure(wanted: Wanted, tools: RunTools, isPlan: boolean): Promise<JobResult> {
  const { nodeId, target } = tools;
  const key = JSON.stringify([nodeId, target, wanted.name]);
  return oneAtATime(JSON.stringify([target, wanted.name]), () => new EnsureRun(wanted, tools, key).run(isPlan));
}
