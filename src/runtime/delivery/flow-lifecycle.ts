import type { NodeAPI } from "node-red";
import { quietly } from "../node-red/quietly";

interface FlowsEvent {
  readonly config?: unknown;
}

/** Whether Node-RED's flows run, and whether they stop for good. */
class FlowLifecycle {
  #running = false;
  #stopping = false;
  #events: NodeAPI["events"] | undefined;
  readonly #listeners: (() => void)[] = [];

  /** Whether all nodes are there: a message that was sent earlier would not reach the nodes behind. */
  get running(): boolean {
    return this.#running;
  }

  /** Whether Node-RED stops: no result reaches a flow any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Calls back when the flows have started, and when they stop for good. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Follows Node-RED's events; further calls change nothing. */
  follow({ events }: NodeAPI): void {
    if (this.#events === events) return;
    this.#events = events;
    // Noted at each stop, too: flows in which a node type is missing are deployed and never start.
    let deployed: unknown;
    events.on("flows:stopping", (event: FlowsEvent) => {
      this.#running = false;
      // A deploy brings another configuration; the same one means that Node-RED stops (seen in Node-RED 4 and 5).
      if (deployed !== undefined && event?.config === deployed) this.stopForGood();
      else this.#stopping = false;
      deployed = event?.config;
    });
    events.on("flows:started", (event: FlowsEvent) => {
      deployed = event?.config;
      this.#running = true;
      this.#stopping = false;
      this.#tell();
    });
  }

  stopForGood(): void {
    this.#stopping = true;
    this.#tell();
  }

  /** Node-RED's own start and stop go on, whatever becomes of a listener. */
  #tell(): void {
    for (const listener of this.#listeners) quietly(listener);
  }
}

/** At module level, because it must outlive every redeploy. */
export const flows = new FlowLifecycle();
