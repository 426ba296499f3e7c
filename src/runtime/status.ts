import type { Node, NodeAPI, NodeStatus } from "node-red";
import type { End, Mode } from "../tenant";
import { shared } from "./texts";

/** At most four updates a second: each one costs an event and a frame to every open editor. */
const INTERVAL_MS = 250;

/** The words under a node, renewed seldom however many messages pass. */
export class StatusLine {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #mode: Mode;
  #next: (() => NodeStatus) | undefined;
  #shown = "";
  #lastAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(RED: NodeAPI, node: Node, mode: Mode) {
    this.#RED = RED;
    this.#node = node;
    this.#mode = mode;
  }

  waiting(count: number): void {
    this.#show(() => ({ fill: "blue", shape: "ring", text: this.#text("waiting", { count }) }));
  }

  sending(): void {
    this.#show(() => ({ fill: "blue", shape: "dot", text: this.#text("sending") }));
  }

  paused(): void {
    this.#show(() => ({ fill: "grey", shape: "ring", text: this.#text("paused") }));
  }

  /** Before the first message: blank, but unmistakable where no call will be placed. */
  rest(): void {
    if (this.#mode !== "live") this.#show(() => ({ fill: "yellow", shape: "ring", text: this.#prefix() }));
  }

  ended(end: End): void {
    if (!end.ok) {
      this.failed(end.error.code, end.error.outcome === "unknown", end.error.key);
      return;
    }
    const time = new Date().toTimeString().slice(0, 5);
    this.#show(() =>
      this.#mode === "live"
        ? { fill: "green", shape: "dot", text: this.#text("accepted", { time }) }
        : { fill: "yellow", shape: "ring", text: this.#text("accepted", { time }) },
    );
  }

  failed(code: string, unknown: boolean, key = code): void {
    this.#show(() =>
      unknown
        ? { fill: "yellow", shape: "dot", text: this.#text("mayHaveBeenPlaced") }
        : { fill: "red", shape: ringed(code) ? "ring" : "dot", text: this.#text(key.startsWith("config.") ? "ERR_CONFIG" : code) },
    );
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = undefined;
  }

  #prefix(): string {
    return shared(this.#RED, `status.mode.${this.#mode}`);
  }

  #text(key: string, params: Readonly<Record<string, string | number>> = {}): string {
    const text = shared(this.#RED, `status.${key}`, params);
    return this.#mode === "live" ? text : `${this.#prefix()}: ${text}`;
  }

  #show(make: () => NodeStatus): void {
    this.#next = make;
    if (this.#timer) return;
    const wait = this.#lastAt + INTERVAL_MS - performance.now();
    if (wait <= 0) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#timer = undefined;
    const status = this.#next?.();
    this.#next = undefined;
    if (!status) return;
    const key = JSON.stringify(status);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#lastAt = performance.now();
    this.#node.status(status);
  }
}

/** No connection is a ring, a refusal a dot. */
function ringed(code: string): boolean {
  return ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"].includes(code);
}
