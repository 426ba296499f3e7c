import type { Node, NodeAPI, NodeStatus } from "node-red";
import type { Params, StatusKey } from "../../fields";
import { momentOf } from "../../hours/moment";
import type { CallingHours, CallOutHold, Mode, TenantError } from "../../tenant";
import { shared } from "./catalogue";
import { NoSchedule, statusKeyOf } from "./no-schedule";
import type { Effect } from "./texts";
import { ThrottledStatus } from "./throttled-status";

type Fill = NonNullable<NodeStatus["fill"]>;
type Shape = NonNullable<NodeStatus["shape"]>;

/** The status of a node that uses a tenant. */
export class StatusLine {
  readonly #RED: NodeAPI;
  readonly #status: ThrottledStatus;
  readonly #mode: Mode;
  readonly #effect: Effect;

  constructor(RED: NodeAPI, node: Node, mode: Mode | null, effect: Effect = "none") {
    this.#RED = RED;
    this.#status = new ThrottledStatus(node);
    this.#mode = mode ?? "live";
    this.#effect = effect;
  }

  show(fill: Fill, shape: Shape, key: StatusKey, params: Params = {}): void {
    this.#status.show(() => ({ fill, shape, text: this.#text(key, params) }));
  }

  /** A node's waiting messages, or what holds them. */
  waiting(count: number, hold: CallOutHold | undefined): void {
    const held = hold && this.#held(hold);
    if (hold?.callingHours?.problem) this.failed(hold.callingHours.problem);
    else if (held) this.#status.show(() => ({ fill: "grey", shape: "ring", text: held() }));
    else this.show("blue", "ring", "waiting", { count });
  }

  /** The tenant's waiting requests, for a control node. */
  counted(count: number, hold: CallOutHold): void {
    const held = this.#held(hold);
    if (hold.callingHours?.problem) this.failed(hold.callingHours.problem);
    else if (!held) this.show("blue", "ring", "waiting", { count });
    else {
      const waiting = shared(this.#RED, "status.waiting", { count });
      this.#status.show(() => ({ fill: "grey", shape: "ring", text: `${held()}, ${waiting}` }));
    }
  }

  /** Before the first message: blank, but marked if no call will be placed. */
  rest(): void {
    if (this.#mode === "live") this.#status.blank();
    else this.#status.show(() => ({ fill: "yellow", shape: "ring", text: this.#prefix(this.#mode) }));
  }

  /**
   * A request was answered: what was read is done, anything else is no more than accepted.
   * @param mode in which it was made, if a deploy has changed the node's since
   * @param onlyRead whether nothing but reads were sent, although the node may do more
   */
  succeeded(mode?: Mode | null, onlyRead = this.#effect === "none"): void {
    const at = Date.now();
    const made = mode ?? this.#mode;
    this.#status.show(() => {
      const text = this.#text(onlyRead ? "done" : "accepted", { time: timeOfDay(at) }, made);
      return made === "live" ? { fill: "green", shape: "dot", text } : { fill: "yellow", shape: "ring", text };
    });
  }

  /** @param mode in which the request was made, if a deploy has changed the node's since */
  failed(problem: TenantError, mode?: Mode | null): void {
    const { fill, shape, key, params } = failedStatus(problem, this.#effect);
    this.#status.show(() => ({ fill, shape, text: this.#text(key, params, mode ?? this.#mode) }));
  }

  close(removed: boolean): void {
    this.#status.close(removed);
  }

  /** The words for what holds call-outs, to be made when they are shown; `undefined` if nothing does. */
  #held({ paused, heldUntil, callingHours }: CallOutHold): (() => string) | undefined {
    if (paused) return () => this.#text("paused");
    if (heldUntil !== undefined) return () => this.#text("held", { time: timeOfDay(heldUntil) });
    return callingHours && !callingHours.isOpen ? () => this.#outsideHours(callingHours) : undefined;
  }

  /** When calling hours begin, if that is known. */
  #outsideHours({ opensAt, today }: CallingHours): string {
    if (opensAt === null) return this.#text("waitsForHours");
    return this.#text("waitsUntil", { at: momentText(this.#RED, opensAt, today) });
  }

  #prefix(mode: Mode): string {
    return shared(this.#RED, `status.mode.${mode === "log" ? "log" : "sandbox"}`);
  }

  #text(key: StatusKey, params: Params = {}, mode = this.#mode): string {
    const text = shared(this.#RED, `status.${key}`, params);
    return mode === "live" ? text : `${this.#prefix(mode)}: ${text}`;
  }
}

/** Hours and minutes of the server's clock. */
export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** How a failure is shown: a ring if there was no connection, a dot for a refusal, grey where nothing is wrong. */
export function failedStatus(
  problem: TenantError,
  effect: Effect = "none",
): { fill: Fill; shape: Shape; key: StatusKey; params: Params } {
  if (problem.outcome === "unknown" && effect !== "none")
    return { fill: "yellow", shape: "dot", key: `mayHaveBeen.${effect}`, params: {} };
  const { code, params } = problem instanceof NoSchedule ? problem.why : problem;
  if (code === "ERR_DUPLICATE") return { fill: "grey", shape: "dot", key: code, params };
  const isUnconnected = ["ERR_DNS", "ERR_CONNECT", "ERR_CONNECT_TIMEOUT", "ERR_TLS"].includes(code);
  return { fill: "red", shape: isUnconnected ? "ring" : "dot", key: statusKeyOf(problem), params };
}

/**
 * A moment to come in the words of a status: `17:30` today, `Mon 08:00` within a week, else `2026-12-24 08:00`.
 * @param iso ISO 8601 with an offset
 * @param today the date on the same calendar, YYYY-MM-DD
 */
export function momentText(RED: NodeAPI, iso: string, today: string): string {
  const { weekday, text } = momentOf(iso, today);
  return weekday ? `${shared(RED, `status.days.${weekday}`)} ${text}` : text;
}
