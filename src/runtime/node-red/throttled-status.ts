import type { Node, NodeStatus } from "node-red";
import { perNode } from "./node-state";
import { swallowErrors } from "./swallow-errors";

/** At most four updates a second: each one costs an event and a frame to every open editor. */
const INTERVAL_MS = 250;
/** A timer counts in whole milliseconds and may come early by as much as this. */
const EARLY_MS = 2;

/** The nodes that show a status: Node-RED keeps it across a redeploy. */
const shown = perNode<true>("status");

/** The status of a node, updated at most four times a second. */
export class ThrottledStatus {
  #next: (() => NodeStatus) | undefined;
  #shown = "";
  #lastAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly node: Node) {}

  /** @param make called when the status is shown, so that a status that is replaced before is not made */
  show(make: () => NodeStatus): void {
    if (this.#closed) return;
    this.#next = make;
    if (this.#timer) return;
    const wait = this.#lastAt + INTERVAL_MS - performance.now();
    if (wait <= 0) swallowErrors(() => this.#flush());
    else this.#timer = setTimeout(() => swallowErrors(() => this.#flush()), wait + EARLY_MS);
  }

  /** Clears what is shown, also by a predecessor, but nothing twice: Status nodes receive each update. */
  blank(): void {
    if (this.#closed) return;
    this.#next = undefined;
    this.#shown = "";
    if (shown.delete(this.node.id)) swallowErrors(() => this.node.status({}));
  }

  /** Leaves the status to the node's successor, if there is one. */
  close(removed: boolean): void {
    if (removed) shown.delete(this.node.id);
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
    // An unchanged status counts as an update, too: making it costs as much as showing it.
    this.#lastAt = performance.now();
    if (key === this.#shown) return;
    this.#shown = key;
    shown.set(this.node.id, true);
    this.node.status(status);
  }
}
