import type { Sink, Way } from "./embedded";

/** Counts how often each message was settled, and lets the sender wait while many are open. */
export class Counting {
  readonly ways: Record<Way, number> = { out: 0, caught: 0, completed: 0, logged: 0 };
  readonly twice: string[] = [];
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #logged = new Set<string>();
  #wake: () => void = () => {};

  readonly sink: Sink = (id, way) => {
    this.ways[way] += 1;
    if (way === "completed") return;
    // The log also reports results that reached the output but that Complete could not copy. Those have settled already.
    if (way === "logged") this.#logged.add(id);
    else if (this.#ended.has(id)) this.twice.push(id);
    else this.#ended.add(id);
    this.#open.delete(id);
    this.#wake();
  };

  sent(id: string): void {
    this.#open.add(id);
  }

  get once(): number {
    const onlyLogged = [...this.#logged].filter((id) => !this.#ended.has(id));
    return this.#ended.size + onlyLogged.length - new Set(this.twice).size;
  }

  get open(): number {
    return this.#open.size;
  }

  /** Messages that are not settled. */
  get missing(): string[] {
    return [...this.#open];
  }

  /** Waits until at most `count` are open. Gives up when none settles for `patienceMs`, so that a loss becomes a figure. */
  async atMost(count: number, patienceMs = 30_000): Promise<void> {
    while (this.#open.size > count) {
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, patienceMs, false);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      if (!woken) return;
    }
  }
}
