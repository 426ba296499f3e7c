import type { Node, NodeAPI, NodeStatus } from "node-red";
import type { Exempt, Holds } from "../../backlog";
import {
  type CallOutHold,
  heldText,
  holdsOf,
  holdTexts,
  type Lanes,
  type Mode,
  momentText,
  type TenantClient,
  type TenantError,
} from "../../client";
import { NO_CONNECTION } from "../../client/errors";
import type { Params, StatusKey } from "../../fields";
import { wallTime } from "../../hours/moment";
import { joined } from "../../texts/catalogue";
import { serverTexts, shared } from "./catalogue";
import { NoSchedule, statusKeyOf } from "./no-schedule";
import type { Effect } from "./texts";
import { ThrottledStatus } from "./throttled-status";

type Fill = NonNullable<NodeStatus["fill"]>;
type Shape = NonNullable<NodeStatus["shape"]>;

export interface Waiting {
  readonly count: number;
  /** Of these, the calls whose date has not come. */
  readonly dated?: number;
  /** Returns when the first of them is due, epoch milliseconds. */
  readonly nextDate?: () => number | undefined;
  /** Of these, the calls that wait until somebody resumes. */
  readonly heldBack?: number;
}

type ShownHold = CallOutHold & Partial<Pick<Lanes, "reasonSince" | "notHeldBack">>;

interface ShownTenant {
  readonly mode: Mode | null;
  /** The zone of dates; the host's without one. */
  readonly settings?: { readonly timezone: string } | undefined;
  readonly client?: Pick<TenantClient, "opened" | "lanes" | "follow"> | undefined;
}

/** The status of a node that uses a tenant. It closes with its node. */
export class StatusLine {
  readonly #status: ThrottledStatus;
  readonly #mode: Mode;
  readonly #effect: Effect;
  readonly #zone: string | undefined;

  constructor(
    protected readonly RED: NodeAPI,
    node: Node,
    { mode, settings, client }: ShownTenant,
    effect: Effect = "none",
  ) {
    this.#status = new ThrottledStatus(node);
    this.#mode = mode ?? "live";
    this.#effect = effect;
    this.#zone = settings?.timezone || undefined;
    const unfollow = client && this.#followOpening(client);
    node.on("close", (removed: boolean, closed: () => void) => {
      unfollow?.();
      this.#status.close(removed);
      closed();
    });
  }

  show(fill: Fill, shape: Shape, key: StatusKey, params: Params = {}): void {
    this.#status.show(() => ({ fill, shape, text: this.#text(key, params) }));
  }

  /** Shows words of the node's own; in yellow where nothing is live. */
  showWords(make: () => { readonly fill: Fill; readonly shape: Shape; readonly words: string }): void {
    this.#status.show(() => {
      const { fill, shape, words } = make();
      if (this.#mode === "live") return { fill, shape, text: words };
      return { fill: "yellow", shape: "ring", text: this.#marked(words) };
    });
  }

  /**
   * A node's waiting messages, or what holds them.
   * @param counts whether their number is shown in a hold, too
   * @param of exempt from some of it
   */
  waiting(waiting: Waiting, hold: ShownHold | undefined, counts = false, of: Exempt = {}): void {
    const holds: Holds = hold ? holdsOf(hold, of) : new Map();
    const held = this.#held(holds, hold, waiting);
    const count = () => (counts ? [shared(this.RED, "status.waiting", { count: waiting.count })] : []);
    if (hold?.reason !== undefined && !holds.has("pause")) this.#trouble(hold, hold.reason);
    else if (hold?.callingHours?.problem && holds.has("hours")) this.failed(hold.callingHours.problem);
    else if (held)
      this.#status.show(() => ({
        fill: "grey",
        shape: "ring",
        text: joined(serverTexts(this.RED), "pattern.also", [held(), ...count()]),
      }));
    else this.#status.show(() => ({ fill: "blue", shape: "ring", text: this.#waiting(waiting) }));
  }

  #trouble({ reasonSince = Date.now(), notHeldBack = 0 }: ShownHold, reason: string): void {
    const hold = { reason, since: reasonSince, waiting: notHeldBack, zone: this.#zone };
    const fill = reason === "ERR_AUTH" ? "red" : "yellow";
    this.#status.show(() => {
      const { status } = holdTexts(serverTexts(this.RED), hold);
      return { fill, shape: "ring", text: this.#marked(status) };
    });
  }

  /** The tenant's waiting requests, for a control node. */
  counted(lanes: Lanes): void {
    const { dated, heldBack, nextDate } = lanes;
    const count = lanes.waiting.callOut + lanes.waiting.other;
    this.waiting({ count, dated, nextDate: () => nextDate, heldBack }, lanes, true);
  }

  /** Shows the status before the first message: blank, but marked if no call will be placed. */
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

  /** Shows why a client cannot be used, until it can: a sandbox listens only after the nodes are there. Returns what ends this. */
  #followOpening(client: NonNullable<ShownTenant["client"]>): () => void {
    let problem: TenantError | undefined;
    void client.opened.then((error) => {
      problem = error;
      if (error) this.failed(error);
    });
    const changed = () => {
      if (!problem || client.lanes.refusal) return;
      problem = undefined;
      this.rest();
    };
    return client.follow({ changed });
  }

  /** The words for what holds call-outs, to be made when they are shown; `undefined` if nothing does. */
  #held(
    holds: Holds,
    hold: ShownHold | undefined,
    { count, dated = 0, heldBack = 0 }: Waiting,
  ): (() => string) | undefined {
    const [[reason, until] = []] = holds;
    // Those that are held back need somebody, as a pause does.
    if (heldBack > 0 && reason !== "pause") return () => this.#text("heldBack", { count: heldBack });
    // What has a date does not wait for the hours before it has come.
    const isDated = dated > 0 && dated === count;
    if (reason === undefined || reason === "trouble" || (isDated && reason !== "pause")) return undefined;
    const shown = () => ({ zone: this.#zone, today: hold?.callingHours?.today });
    return () => this.#marked(heldText(serverTexts(this.RED), reason, until, shown()));
  }

  /** Writes how many wait, or when the first one is due if all of them have a date. */
  #waiting({ count, dated = 0, nextDate }: Waiting): string {
    const next = dated < count ? undefined : nextDate?.();
    if (dated === 0 || next === undefined) return this.#text("waiting", { count });
    const today = wallTime(Date.now(), this.#zone).slice(0, 10);
    const at = momentText(serverTexts(this.RED), wallTime(next, this.#zone), today);
    return this.#text("dated", { count, at });
  }

  #prefix(mode: Mode): string {
    return shared(this.RED, `status.mode.${mode === "log" ? "log" : "sandbox"}`);
  }

  #text(key: StatusKey, params: Params = {}, mode = this.#mode): string {
    const text = shared(this.RED, `status.${key}`, params);
    return mode === "live" ? text : this.#marked(text, mode);
  }

  /** Writes first that nothing is live, where that is so. */
  #marked(text: string, mode = this.#mode): string {
    return mode === "live" ? text : shared(this.RED, "pattern.named", { name: this.#prefix(mode), text });
  }
}

/** Whether something else than their turn or their date holds call-outs. */
export function areHeld(lanes: Lanes): boolean {
  if (lanes.heldBack > 0 || lanes.reason !== undefined) return true;
  // Trouble without a code is that of a single call.
  return [...holdsOf(lanes).keys()].some((reason) => reason !== "trouble");
}

/** The hours and minutes of the server's clock. */
export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** Returns the status of a failure: a ring if there was no connection, a dot for a refusal, grey where nothing is wrong. */
export function failedStatus(
  problem: TenantError,
  effect: Effect = "none",
): { fill: Fill; shape: Shape; key: StatusKey; params: Params } {
  if (problem.outcome === "unknown" && effect !== "none")
    return { fill: "yellow", shape: "dot", key: `mayHaveBeen.${effect}`, params: {} };
  const { code, params } = problem instanceof NoSchedule ? problem.why : problem;
  if (code === "ERR_DUPLICATE" || code === "ERR_CANCELLED") return { fill: "grey", shape: "dot", key: code, params };
  return { fill: "red", shape: NO_CONNECTION.has(code) ? "ring" : "dot", key: statusKeyOf(problem), params };
}
