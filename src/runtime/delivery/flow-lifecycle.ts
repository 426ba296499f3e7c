import { EventEmitter, once } from "node:events";
import type { NodeAPI } from "node-red";
import { swallowErrors } from "../node-red/swallow-errors";

interface FlowsEvent {
  readonly config?: unknown;
  /** The changes of a deploy: the same object in all events of one deploy. */
  readonly diff?: unknown;
}

/** The state of Node-RED's flows: whether they run, and whether they stop for good. */
class FlowLifecycle {
  #running = false;
  #stopping = false;
  #RED: NodeAPI | undefined;
  readonly #listeners = new EventEmitter().setMaxListeners(0);

  /**
   * Whether all nodes are there: a message that was sent earlier would not reach the nodes behind. `false` from the moment
   * any deploy begins until its flows have started, whichever nodes it replaces.
   */
  get running(): boolean {
    return this.#running;
  }

  /** Whether Node-RED stops: no result reaches a flow any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /**
   * Whether a node was deleted or disabled: the flows run, and it does not, or a node of another type has its id. Node-RED's own
   * `removed` is `false` for a node whose subflow, instance or flow is gone.
   */
  isDeleted({ id, type }: { readonly id: string; readonly type?: string | undefined }): boolean {
    if (!this.#running) return false;
    const node = this.#RED?.nodes.getNode(id);
    return !node || (type !== undefined && node.type !== type);
  }

  /**
   * Ends states of nodes, by their ids, once the flows have started without their nodes.
   * @param end default: forgets the state
   */
  onDeleted<T>(states: Map<string, T>, type: string, end = (id: string) => void states.delete(id)): void {
    this.on("start", () => {
      for (const id of states.keys()) if (this.isDeleted({ id, type })) end(id);
    });
  }

  /** Calls a listener with each of the states of nodes, as `on` does. */
  onEach<T>(event: "start" | "pause" | "stop", states: ReadonlyMap<string, T>, listener: (state: T) => void): void {
    this.on(event, () => {
      for (const state of [...states.values()]) swallowErrors(() => listener(state));
    });
  }

  /** Resolves when the flows run, or when the signal is aborted. */
  async untilRunning(signal?: AbortSignal): Promise<void> {
    while (!this.#running && !signal?.aborted)
      await once(this.#listeners, "start", signal && { signal }).catch(() => {});
  }

  /**
   * Listens to `start` (the flows have started), to `pause` (a deploy begins, or the flows stop, so that deliveries have to wait), and
   * to `stop` (the flows stop for good, before any node closes, or the process ends).
   * @param listener called with whether the process ends now, so that nothing can be awaited
   */
  on(event: "start" | "pause" | "stop", listener: (isEnding: boolean) => void): void {
    // A listener that throws must not stop Node-RED's own start or stop.
    this.#listeners.on(event, (isEnding) => swallowErrors(() => listener(isEnding)));
  }

  /** Follows Node-RED's events; further calls change nothing. */
  follow(RED: NodeAPI): void {
    const { events } = RED;
    if (this.#RED?.events === events) return;
    this.#RED = RED;
    // Updated at each stop, too: flows in which a node type is missing are deployed and never start.
    let deployed: unknown;
    let stoppedFor: unknown;
    events.on("flows:stopping", (event: FlowsEvent) => {
      this.#running = false;
      stoppedFor = event?.diff;
      this.#listeners.emit("pause", false);
      // A deploy brings another configuration; the same one means that Node-RED stops (seen in Node-RED 4 and 5).
      if (deployed !== undefined && event?.config === deployed) this.stop(false);
      else this.#stopping = false;
      deployed = event?.config;
    });
    events.on("flows:started", (event: FlowsEvent) => {
      // A deploy may begin while the flows of the one before are still starting.
      const isEarlier = event?.diff !== undefined && stoppedFor !== undefined && event.diff !== stoppedFor;
      if (isEarlier) return;
      deployed = event?.config;
      this.#running = true;
      this.#stopping = false;
      this.#listeners.emit("start", false);
    });
  }

  /** @param isEnding the process ends now */
  stop(isEnding: boolean): void {
    this.#running = false;
    this.#stopping = true;
    this.#listeners.emit("stop", isEnding);
  }
}

/** At module level, because it must outlive every redeploy. */
export const flows = new FlowLifecycle();

// However the process ends, except by a kill, e.g. because another node crashed.
process.once("exit", () => flows.stop(true));
