/** Starts one operation. `lane` identifies it among those in flight; `done` is called when it has ended. */
export type Begin = (lane: number, done: () => void) => void;

/** What to measure: ends after `forMs` milliseconds or `count` operations, whichever is first. */
export interface Load {
  readonly inFlight: number;
  /** Milliseconds before anything is counted, so that connections open and code is compiled. */
  readonly warmUpMs: number;
  readonly forMs?: number;
  readonly count?: number;
}

export interface Sample {
  readonly perSecond: number;
  /** Processor time per operation in microseconds, all threads of this process. */
  readonly processor: number;
  /** Latency in milliseconds. */
  readonly p99: number;
}

const MAX_LATENCIES = 1 << 18;

/** Keeps `inFlight` operations running: each one that ends starts the next in its lane. */
export function closedLoop(begin: Begin, load: Load): Promise<Sample> {
  const { inFlight, warmUpMs, forMs = Infinity, count = Infinity } = load;
  const latencies = new Float64Array(MAX_LATENCIES);
  const begun = new Float64Array(inFlight);
  const warmUntil = performance.now() + warmUpMs;
  let counted = 0;
  let startedAt: number | undefined;
  let processor = process.cpuUsage();
  let sample: Sample | undefined;
  let running = inFlight;

  return new Promise((resolve) => {
    const next = (lane: number, now: number) => {
      begun[lane] = now;
      begin(lane, callbacks[lane] as () => void);
    };
    const done = (lane: number) => {
      const now = performance.now();
      if (startedAt === undefined) {
        if (now >= warmUntil) {
          startedAt = now;
          processor = process.cpuUsage();
        }
      } else if (!sample) {
        latencies[counted % MAX_LATENCIES] = now - (begun[lane] as number);
        counted += 1;
        if (now >= startedAt + forMs || counted >= count) sample = summary(now - startedAt);
      }
      if (!sample) return next(lane, now);
      running -= 1;
      if (running === 0) resolve(sample);
    };
    const callbacks = Array.from({ length: inFlight }, (_, lane) => () => done(lane));
    for (let lane = 0; lane < inFlight; lane += 1) next(lane, performance.now());
  });

  function summary(ms: number): Sample {
    const { user, system } = process.cpuUsage(processor);
    const sorted = latencies.subarray(0, Math.min(counted, MAX_LATENCIES)).sort();
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    return { perSecond: (counted / ms) * 1000, processor: (user + system) / counted, p99 };
  }
}
