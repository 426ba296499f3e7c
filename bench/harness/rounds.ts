import type { Sample } from "./closed-loop";

/** Samples of contenders that are measured in turn, so that a disturbance of the machine affects all of them. */
export class Rounds<Name extends string> {
  readonly #samples: Readonly<Record<Name, Sample>>[] = [];

  /** Measures each contender once a round. The first round is a warm-up and is not counted. */
  async measure(rounds: number, contenders: Readonly<Record<Name, () => Promise<Sample>>>): Promise<void> {
    for (let round = 0; round <= rounds; round += 1) {
      const samples = {} as Record<Name, Sample>;
      for (const name of Object.keys(contenders) as Name[]) samples[name] = await contenders[name]();
      if (round > 0) this.#samples.push(samples);
    }
  }

  /** The median of a figure of each round. */
  median(figure: (round: Readonly<Record<Name, Sample>>) => number): number {
    return median(this.#samples.map(figure));
  }
}

/** Of an odd number of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Milliseconds. */
export interface Latency {
  readonly median: number;
  readonly p99: number;
}

/** The first tenth is a warm-up. */
export function latencyOf(latencies: readonly number[]): Latency {
  const counted = latencies.slice(latencies.length / 10).sort((a, b) => a - b);
  return { median: median(counted), p99: counted[Math.floor(counted.length * 0.99)] ?? Number.NaN };
}
