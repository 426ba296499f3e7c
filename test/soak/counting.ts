import type { Sink, Way } from "./embedded";

/** Keeps count of how often each message ended, and holds back the sender while many are under way. */
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
    // The log speaks also of what came out and only Complete could not copy: an end of its own where there is no other.
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

  /** Which have not ended. */
  get missing(): string[] {
    return [...this.#open];
  }

  /** Until so few are under way; gives up when nothing has ended for long, so that a loss shows as a figure. */
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
