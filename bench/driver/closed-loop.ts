import { percentile } from "../statistics";

/** Something that ends, done over and over. `lane` tells the ones under way at the same time apart. */
export type Begin = (lane: number, ended: () => void) => void;

export interface Load {
  /** How many are under way at any moment. */
  readonly underWay: number;
  /** Milliseconds before anything counts: connections open, the compiler catches up. */
  readonly warmUpMs: number;
  /** When to stop: after as many milliseconds, or as many ends. */
  readonly forMs?: number;
  readonly count?: number;
}

export interface Sample {
  readonly count: number;
  readonly perSecond: number;
  /** Microseconds of processor time of this process for each, all its threads together. */
  readonly processor: number;
  /** Milliseconds from begin to end. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** Latencies kept for the percentiles of one sample. */
const MOST_KEPT = 1 << 18;

/** Keeps the wanted number under way: whenever one ends, the next begins. */
export function closedLoop(begin: Begin, { underWay, warmUpMs, forMs = Infinity, count = Infinity }: Load) {
  const latencies = new Float64Array(MOST_KEPT);
  const begun = new Float64Array(underWay);
  let ends = 0;
  let left = underWay;
  let startedAt = performance.now();
  let processor = process.cpuUsage();
  let counting = warmUpMs === 0;
  const warmUntil = startedAt + warmUpMs;
  let stopAt = counting ? startedAt + forMs : Infinity;
  return new Promise<Sample>((resolve) => {
    let sample: Sample | undefined;
    const take = (now: number): Sample => {
      const { user, system } = process.cpuUsage(processor);
      const sorted = latencies.subarray(0, Math.min(ends, MOST_KEPT)).sort();
      const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => percentile(sorted, share)) as [number, number, number];
      const perSecond = (ends / (now - startedAt)) * 1000;
      return { count: ends, perSecond, processor: (user + system) / ends, p50, p99, p999 };
    };
    const next = (lane: number, ended: () => void, now: number) => {
      begun[lane] = now;
      begin(lane, ended);
    };
    for (let lane = 0; lane < underWay; lane += 1) {
      const ended = () => {
        const now = performance.now();
        if (counting) {
          latencies[ends % MOST_KEPT] = now - (begun[lane] as number);
          ends += 1;
        } else if (now >= warmUntil) {
          counting = true;
          startedAt = now;
          stopAt = now + forMs;
          processor = process.cpuUsage();
        }
        if (!sample && (now >= stopAt || ends >= count)) sample = take(now);
        if (!sample) next(lane, ended, now);
        else {
          left -= 1;
          if (left === 0) resolve(sample);
        }
      };
      next(lane, ended, performance.now());
    }
  });
}
