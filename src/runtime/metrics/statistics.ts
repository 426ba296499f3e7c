import { type Job, type JobResult, type Outcome, outcomeOf } from "../../client";
import { noOutcomes, Today } from "./today";

/** Upper ends of the ranges in which durations are counted, seconds. Our choice: from a near service to its longest timeout. */
export const DURATION_RANGES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600] as const;
const ENDS = [...DURATION_RANGES, Infinity];

/** The outcomes of one action's requests since Node-RED started. */
export interface ActionNumbers {
  readonly outcomes: Record<Outcome, number>;
  /** The number of requests that took no longer than each of DURATION_RANGES; the last item counts all. */
  readonly durations: number[];
  durationSumMs: number;
}

/** Counts how the requests to one tenant end. */
export class Statistics {
  /** By node type. */
  readonly actions = new Map<string, ActionNumbers>();

  constructor(readonly today = new Today()) {}

  count({ action, lane, list, nodeId }: Job, result: JobResult): void {
    // A row counts when it has ended for its list, called or not.
    if (lane === "callOut" && list === undefined) this.today.count(nodeId, result);
    const counted = this.actions.get(action) ?? {
      outcomes: noOutcomes(),
      durations: ENDS.map(() => 0),
      durationSumMs: 0,
    };
    this.actions.set(action, counted);
    counted.outcomes[outcomeOf(result)] += 1;
    const { attempts, elapsedMs } = result.timings;
    // What was refused before its turn took no time.
    if (attempts === 0) return;
    const first = ENDS.findIndex((end) => elapsedMs <= end * 1000);
    for (let index = first; index < ENDS.length; index += 1)
      counted.durations[index] = (counted.durations[index] ?? 0) + 1;
    counted.durationSumMs += elapsedMs;
  }

  /** The rows of lists that have ended. */
  readonly rows = noOutcomes();

  countRow(outcome: Outcome): void {
    this.rows[outcome] += 1;
  }
}
