import type { Sample } from "./closed-loop";

/** Samples of several contenders that are measured in turn, so that a disturbance of the machine affects all of them. */
export class Rounds<Name extends string> {
  readonly #samples = new Map<Name, Sample[]>();

  /** Measures each contender once a round. The first round is a warm-up and is not counted. */
  async measure(contenders: Partial<Record<Name, () => Promise<Sample>>>, rounds: number): Promise<this> {
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, run] of Object.entries(contenders) as [Name, () => Promise<Sample>][]) {
        const sample = await run();
        if (round > 0) this.#samples.set(name, [...this.#of(name), sample]);
      }
    }
    return this;
  }

  has(name: Name): boolean {
    return this.#samples.has(name);
  }

  median(name: Name, value: (sample: Sample) => number): number {
    return median(this.#of(name).map(value));
  }

  /** The median of each round's ratio. */
  ratio(a: Name, b: Name, value: (sample: Sample) => number): number {
    return this.#compare(a, b, (one, other) => value(one) / value(other));
  }

  /** The median of each round's difference. */
  difference(a: Name, b: Name, value: (sample: Sample) => number): number {
    return this.#compare(a, b, (one, other) => value(one) - value(other));
  }

  #compare(a: Name, b: Name, compare: (a: Sample, b: Sample) => number): number {
    const others = this.#of(b);
    return median(this.#of(a).map((sample, round) => compare(sample, others[round] as Sample)));
  }

  #of(name: Name): readonly Sample[] {
    return this.#samples.get(name) ?? [];
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
