import type { Node, NodeAPI, NodeStatus } from "node-red";
import type { Params, StatusKey } from "../../fields";
import type { Mode, TenantError } from "../../tenant";
import { NoSchedule, statusKeyOf } from "../schedules/no-schedule";
import { shared } from "./catalogue";
import { ThrottledStatus } from "./throttled-status";

type Fill = NonNullable<NodeStatus["fill"]>;
type Shape = NonNullable<NodeStatus["shape"]>;

/** The status of a node that uses a tenant. */
export class StatusLine {
  readonly #RED: NodeAPI;
  readonly #status: ThrottledStatus;
  readonly #mode: Mode;

  constructor(RED: NodeAPI, node: Node, mode: Mode | null) {
    this.#RED = RED;
    this.#status = new ThrottledStatus(node);
    this.#mode = mode ?? "live";
  }

  show(fill: Fill, shape: Shape, key: StatusKey, params: Params = {}): void {
    this.#status.show(() => ({ fill, shape, text: this.#text(key, params) }));
  }

  /** The tenant's waiting requests, for a control node. */
  counted(count: number, paused: boolean): void {
    if (!paused) this.show("blue", "ring", "waiting", { count });
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

  accepted(): void {
    const at = Date.now();
    this.#status.show(() => {
      const text = this.#text("accepted", { time: new Date(at).toTimeString().slice(0, 5) });
      return this.#mode === "live" ? { fill: "green", shape: "dot", text } : { fill: "yellow", shape: "ring", text };
    });
  }

  failed(problem: TenantError): void {
    const { fill, shape, key, params } = failedStatus(problem);
    this.show(fill, shape, key, params);
  }

  close(removed: boolean): void {
    this.#status.close(removed);
  }

  #prefix(): string {
    return shared(this.#RED, `status.mode.${this.#mode === "log" ? "log" : "sandbox"}`);
  }

  #text(key: StatusKey, params: Params = {}): string {
    const text = shared(this.#RED, `status.${key}`, params);
    return this.#mode === "live" ? text : `${this.#prefix()}: ${text}`;
  }
}

/** How a failure is shown: a ring if there was no connection, a dot for a refusal. */
export function failedStatus(problem: TenantError): { fill: Fill; shape: Shape; key: StatusKey; params: Params } {
  if (problem.outcome === "unknown") return { fill: "yellow", shape: "dot", key: "mayHaveBeenPlaced", params: {} };
  const { code, params } = problem instanceof NoSchedule ? problem.why : problem;
  const isUnconnected = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"].includes(code);
  return { fill: "red", shape: isUnconnected ? "ring" : "dot", key: statusKeyOf(problem), params };
}
