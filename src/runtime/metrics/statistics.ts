import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { type Job, type JobResult, type Outcome, outcomeOf } from "../../tenant";

const OUTCOMES: readonly Outcome[] = ["applied", "rejected", "not-applied", "unknown"];
/** Upper ends of the ranges in which durations are counted, seconds. Our choice: from a near service to its longest timeout. */
export const DURATION_RANGES = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600] as const;
/** Percentiles are those of the last one to two periods of this length. Milliseconds. */
const PERIOD_MS = 5 * 60_000;

/** How the requests of one action have ended since Node-RED started. */
export interface ActionNumbers {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** How many took no longer than each of DURATION_RANGES, and no longer than the one before; the last item took longer. */
  readonly durations: readonly number[];
  readonly durationSumMs: number;
}

/** What a dialog shows. Percentiles are milliseconds from a request's turn to its answer; `null` if there was none lately. */
export interface Summary {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

interface Counted {
  readonly outcomes: Record<Outcome, number>;
  readonly durations: number[];
  durationSumMs: number;
}

/** Counts how the requests to one tenant end. */
export class Statistics {
  readonly #actions = new Map<string, Counted>();
  #periodFrom = -Infinity;
  #current: RecordableHistogram | undefined;
  #previous: RecordableHistogram | undefined;

  /** By node type. */
  get actions(): ReadonlyMap<string, ActionNumbers> {
    return this.#actions;
  }

  /** @param now monotonic milliseconds */
  count({ action }: Job, result: JobResult, now: number): void {
    const counted = this.#actionOf(action);
    counted.outcomes[outcomeOf(result)] += 1;
    const { attempts, elapsedMs } = result.timings;
    // What was refused before its turn took no time.
    if (attempts === 0) return;
    const range = DURATION_RANGES.findIndex((end) => elapsedMs <= end * 1000);
    const index = range === -1 ? DURATION_RANGES.length : range;
    counted.durations[index] = (counted.durations[index] ?? 0) + 1;
    counted.durationSumMs += elapsedMs;
    this.#turn(now);
    this.#current ??= histogram();
    this.#current.record(Math.max(1, elapsedMs));
  }

  summary(now: number): Summary {
    this.#turn(now);
    const outcomes = none();
    for (const counted of this.#actions.values())
      for (const outcome of OUTCOMES) outcomes[outcome] += counted.outcomes[outcome];
    const lately = histogram();
    if (this.#previous) lately.add(this.#previous);
    if (this.#current) lately.add(this.#current);
    const percentile = (percent: number) => (lately.count === 0 ? null : lately.percentile(percent));
    return { outcomes, p50Ms: percentile(50), p95Ms: percentile(95) };
  }

  #actionOf(action: string): Counted {
    const known = this.#actions.get(action);
    if (known) return known;
    const counted = { outcomes: none(), durations: [...DURATION_RANGES.map(() => 0), 0], durationSumMs: 0 };
    this.#actions.set(action, counted);
    return counted;
  }

  #turn(now: number): void {
    const periods = Math.floor((now - this.#periodFrom) / PERIOD_MS);
    if (periods < 1) return;
    this.#previous = periods === 1 ? this.#current : undefined;
    this.#current = undefined;
    this.#periodFrom = now;
  }
}

function none(): Record<Outcome, number> {
  return { applied: 0, rejected: 0, "not-applied": 0, unknown: 0 };
}

/** Of milliseconds up to the longest timeout, exact to two digits: a few kilobytes. */
function histogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 600_000, figures: 2 });
}
