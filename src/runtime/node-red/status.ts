import type { Node, NodeAPI } from "node-red";
import type { ErrorKey, StatusKey } from "../../fields";
import type { Code, JobResult, Mode } from "../../tenant";
import { shared } from "./catalogue";
import { StatusWords } from "./status-words";

/** What a node that talks to a tenant shows. */
export class StatusLine {
  readonly #RED: NodeAPI;
  readonly #words: StatusWords;
  readonly #mode: Mode;

  constructor(RED: NodeAPI, node: Node, mode: Mode) {
    this.#RED = RED;
    this.#words = new StatusWords(node);
    this.#mode = mode;
  }

  waiting(count: number): void {
    this.#words.show(() => ({ fill: "blue", shape: "ring", text: this.#text("waiting", { count }) }));
  }

  sending(): void {
    this.#words.show(() => ({ fill: "blue", shape: "dot", text: this.#text("sending") }));
  }

  page(page: number, pages: number): void {
    this.#words.show(() => ({ fill: "blue", shape: "dot", text: this.#text("page", { page, pages }) }));
  }

  paused(): void {
    this.#words.show(() => ({ fill: "grey", shape: "ring", text: this.#text("paused") }));
  }

  /** What waits for the tenant, as its control tells. */
  counted(count: number, paused: boolean): void {
    if (!paused) this.waiting(count);
    else {
      const waiting = shared(this.#RED, "status.waiting", { count });
      this.#words.show(() => ({ fill: "grey", shape: "ring", text: `${this.#text("paused")}, ${waiting}` }));
    }
  }

  /** Before the first message: blank, whatever a predecessor left, but unmistakable where no call will be placed. */
  rest(): void {
    if (this.#mode === "live") this.#words.blank();
    else this.#words.show(() => ({ fill: "yellow", shape: "ring", text: this.#prefix() }));
  }

  ended(end: JobResult): void {
    if (!end.ok) {
      this.failed(end.error.code, end.error.outcome === "unknown", end.error.key);
      return;
    }
    const at = Date.now();
    this.#words.show(() => {
      const text = this.#text("accepted", { time: new Date(at).toTimeString().slice(0, 5) });
      return this.#mode === "live" ? { fill: "green", shape: "dot", text } : { fill: "yellow", shape: "ring", text };
    });
  }

  failed(code: Code, unknown: boolean, key: ErrorKey = code): void {
    this.#words.show(() =>
      unknown
        ? { fill: "yellow", shape: "dot", text: this.#text("mayHaveBeenPlaced") }
        : {
            fill: "red",
            shape: isRinged(code) ? "ring" : "dot",
            text: this.#text(key.startsWith("config.") ? "ERR_CONFIG" : code),
          },
    );
  }

  close(removed: boolean): void {
    this.#words.close(removed);
  }

  #prefix(): string {
    return shared(this.#RED, `status.mode.${this.#mode === "log" ? "log" : "sandbox"}`);
  }

  #text(key: StatusKey, params: Readonly<Record<string, string | number>> = {}): string {
    const text = shared(this.#RED, `status.${key}`, params);
    return this.#mode === "live" ? text : `${this.#prefix()}: ${text}`;
  }
}

/** No connection is a ring, a refusal a dot. */
export function isRinged(code: string): boolean {
  return ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"].includes(code);
}
