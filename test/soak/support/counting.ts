import { setTimeout as sleep } from "node:timers/promises";
import type { FlowNode } from "../../support/process/node-red";
import { Embedded, type Sink, type Way } from "./embedded";

/** Enough that messages overtake each other, too few to fill a tenant's backlog. */
const MAX_OPEN = 256;

/** Starts Node-RED in this process, and counts what becomes of its messages. */
export async function counted(flows: readonly FlowNode[] = []): Promise<{ nodeRed: Embedded; counting: Counting }> {
  const [nodeRed, counting] = [await Embedded.start(), new Counting()];
  nodeRed.sink = counting.sink;
  if (flows.length > 0) await nodeRed.deploy(flows);
  return { nodeRed, counting };
}

/** Sends messages, each named by its number, and waits until all have settled. */
export async function sendAll(
  nodeRed: Embedded,
  counting: Counting,
  names: readonly string[],
  message: (name: string, index: number) => readonly [node: string, message: object],
): Promise<void> {
  for (const [index, name] of names.entries()) {
    counting.sent(name);
    nodeRed.send(...message(name, index));
    await counting.atMost(MAX_OPEN);
  }
  await counting.atMost(0);
  // A message that comes out twice would do so now.
  await sleep(500);
  if (counting.open > 0) console.error(counting.missing.slice(0, 10));
}

/** Names of so many messages. */
export const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Counts how often each message was settled, and lets the sender wait while many are open. */
export class Counting {
  readonly ways: Record<Way, number> = { out: 0, caught: 0, completed: 0, logged: 0 };
  readonly twice: string[] = [];
  readonly #sent = new Set<string>();
  readonly #open = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #logged = new Set<string>();
  #wake: () => void = () => {};

  readonly sink: Sink = (id, way) => {
    // The rows of a list are messages of their own.
    if (!this.#sent.has(id)) return;
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
    this.#sent.add(id);
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
