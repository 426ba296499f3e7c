import type { Sample } from "./driver/closed-loop";
import { median } from "./statistics";

/** Samples of several contenders, taken in turn, so that whatever disturbs the machine meets them all. */
export class Rounds<Name extends string> {
  readonly #samples: ReadonlyMap<Name, readonly Sample[]>;

  constructor(samples: ReadonlyMap<Name, readonly Sample[]>) {
    this.#samples = samples;
  }

  /** With the rounds of other processes. */
  and(others: readonly Rounds<Name>[]): Rounds<Name> {
    const all = [this, ...others];
    return new Rounds(
      new Map([...this.#samples.keys()].map((name) => [name, all.flatMap((rounds) => rounds.#of(name))])),
    );
  }

  has(name: Name): boolean {
    return this.#samples.has(name);
  }

  median(name: Name, what: (sample: Sample) => number): number {
    return median(this.#of(name).map(what));
  }

  /** The median of what each round says of two contenders. */
  between(a: Name, b: Name, compare: (a: Sample, b: Sample) => number): number {
    const others = this.#of(b);
    return median(this.#of(a).map((sample, round) => compare(sample, others[round] as Sample)));
  }

  #of(name: Name): readonly Sample[] {
    return this.#samples.get(name) ?? [];
  }
}

/** Lets the contenders take turns. A round before the first does not count: the compiler is still busy with it. */
export async function interleaved<Name extends string>(
  contenders: Partial<Record<Name, () => Promise<Sample>>>,
  rounds: number,
): Promise<Rounds<Name>> {
  const runs = Object.entries(contenders) as [Name, () => Promise<Sample>][];
  const samples = new Map<Name, Sample[]>(runs.map(([name]) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of runs) {
      const sample = await run();
      if (round > 0) samples.get(name)?.push(sample);
    }
  }
  return new Rounds(samples);
}
