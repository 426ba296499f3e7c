import { type Job, type JobResult, type Outcome, outcomeOf } from "../../client";

const OUTCOMES: readonly Outcome[] = ["applied", "rejected", "not-applied", "unknown"];
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

  count({ action }: Job, result: JobResult): void {
    const counted = this.actions.get(action) ?? {
      outcomes: none(),
      durations: ENDS.map(() => 0),
      durationSumMs: 0,
    };
    this.actions.set(action, counted);
    counted.outcomes[outcomeOf(result)] += 1;
    const { attempts, elapsedMs } = result.timings;
    // What was refused before its turn took no time.
    if (attempts === 0) return;
    for (const [index, end] of ENDS.entries())
      if (elapsedMs <= end * 1000) counted.durations[index] = (counted.durations[index] ?? 0) + 1;
    counted.durationSumMs += elapsedMs;
  }

  /** Of all actions. */
  get outcomes(): Record<Outcome, number> {
    const outcomes = none();
    for (const counted of this.actions.values())
      for (const outcome of OUTCOMES) outcomes[outcome] += counted.outcomes[outcome];
    return outcomes;
  }
}

function none(): Record<Outcome, number> {
  return { applied: 0, rejected: 0, "not-applied": 0, unknown: 0 };
}
