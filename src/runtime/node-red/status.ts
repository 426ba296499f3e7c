import type { Node, NodeAPI, NodeStatus } from "node-red";
import type { ErrorKey, Params, StatusKey } from "../../fields";
import type { Code, JobResult, Mode } from "../../tenant";
import { shared } from "./catalogue";
import { ThrottledStatus } from "./throttled-status";

/** The status of a node that uses a tenant. */
export class StatusLine {
  readonly #RED: NodeAPI;
  readonly #status: ThrottledStatus;
  readonly #mode: Mode;

  constructor(RED: NodeAPI, node: Node, mode: Mode) {
    this.#RED = RED;
    this.#status = new ThrottledStatus(node);
    this.#mode = mode;
  }

  waiting(count: number): void {
    this.#show("blue", "ring", "waiting", { count });
  }

  sending(): void {
    this.#show("blue", "dot", "sending");
  }

  page(page: number, pages: number): void {
    this.#show("blue", "dot", "page", { page, pages });
  }

  paused(): void {
    this.#show("grey", "ring", "paused");
  }

  /** The tenant's waiting requests, for a control node. */
  counted(count: number, paused: boolean): void {
    if (!paused) this.waiting(count);
    else {
      const waiting = shared(this.#RED, "status.waiting", { count });
      this.#status.show(() => ({ fill: "grey", shape: "ring", text: `${this.#text("paused")}, ${waiting}` }));
    }
  }

  /** Before the first message: blank, but marked if no call will be placed. */
  rest(): void {
    if (this.#mode === "live") this.#status.blank();
    else this.#status.show(() => ({ fill: "yellow", shape: "ring", text: this.#prefix() }));
  }

  ended(end: JobResult): void {
    if (!end.ok) {
      this.failed(end.error.code, end.error.outcome === "unknown", end.error.key);
      return;
    }
    const at = Date.now();
    this.#status.show(() => {
      const text = this.#text("accepted", { time: new Date(at).toTimeString().slice(0, 5) });
      return this.#mode === "live" ? { fill: "green", shape: "dot", text } : { fill: "yellow", shape: "ring", text };
    });
  }

  failed(code: Code, unknown: boolean, key: ErrorKey = code): void {
    if (unknown) this.#show("yellow", "dot", "mayHaveBeenPlaced");
    else this.#show("red", isRinged(code) ? "ring" : "dot", key.startsWith("config.") ? "ERR_CONFIG" : code);
  }

  close(removed: boolean): void {
    this.#status.close(removed);
  }

  #show(fill: NonNullable<NodeStatus["fill"]>, shape: "ring" | "dot", key: StatusKey, params: Params = {}): void {
    this.#status.show(() => ({ fill, shape, text: this.#text(key, params) }));
  }

  #prefix(): string {
    return shared(this.#RED, `status.mode.${this.#mode === "log" ? "log" : "sandbox"}`);
  }

  #text(key: StatusKey, params: Params = {}): string {
    const text = shared(this.#RED, `status.${key}`, params);
    return this.#mode === "live" ? text : `${this.#prefix()}: ${text}`;
  }
}

/** Whether a failure is shown as a ring (no connection) and not as a dot (a refusal). */
export function isRinged(code: string): boolean {
  return ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"].includes(code);
}
