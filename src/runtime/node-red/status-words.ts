import type { Node, NodeStatus } from "node-red";

/** At most four updates a second: each one costs an event and a frame to every open editor. */
const INTERVAL_MS = 250;
/** A timer counts in whole milliseconds and may come early by as much as this. */
const EARLY_MS = 2;

/** Who has words under it, by node id: Node-RED keeps them across a deploy. */
const worded = new Set<string>();

/** The words under a node, renewed seldom however often they change. */
export class StatusWords {
  readonly #node: Node;
  #next: (() => NodeStatus) | undefined;
  #shown = "";
  #lastAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(node: Node) {
    this.#node = node;
  }

  /** @param make called when its turn comes, so that words nobody sees are not made */
  show(make: () => NodeStatus): void {
    if (this.#closed) return;
    this.#next = make;
    if (this.#timer) return;
    const wait = this.#lastAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), wait + EARLY_MS);
  }

  /** Takes away what a predecessor left. Where nothing is, nothing is told: Status nodes hear of each change. */
  blank(): void {
    if (worded.delete(this.#node.id)) this.#node.status({});
  }

  /** For good: the words under the node are its successor's now, if it has one. */
  close(removed: boolean): void {
    if (removed) worded.delete(this.#node.id);
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = undefined;
  }

  #flush(): void {
    this.#timer = undefined;
    const status = this.#next?.();
    this.#next = undefined;
    if (!status) return;
    const key = `${status.fill} ${status.shape} ${status.text}`;
    // Words that turn out to be the same count too: making them costs as much as showing them.
    this.#lastAt = performance.now();
    if (key === this.#shown) return;
    this.#shown = key;
    worded.add(this.#node.id);
    this.#node.status(status);
  }
}
