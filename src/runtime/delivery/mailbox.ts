import type { NodeAPI, NodeMessage } from "node-red";
import { Heap } from "../../backlog";
import { dropped, type JobResult, outcomeOf, type TenantClient, type Unfinished } from "../../client";
import { oneLine } from "../../fields/quote";
import { logText } from "../node-red/catalogue";
import { perNode, perObject } from "../node-red/node-state";
import { isWired, stopAnswering } from "./answers";
import { notBegun } from "./failure";
import { flows } from "./flow-lifecycle";
import { warnOf } from "./message-log";
import { Pending, type Receiver } from "./pending";
import { recordUnfinished, type UnfinishedMessage } from "./unfinished";

const mailboxes = perNode<Mailbox>("mailbox");

/** Called when Node-RED stops: each returns its jobs that have not ended. */
const senders: (() => readonly Unfinished[])[] = [];

/**
 * Results that a successor receives with a message, to be delivered with its own `send` and `done`. Several for a message
 * object that a flow has sent more than once.
 */
const attached = perObject<NodeMessage, JobResult[]>("attached results");

/** The time without a further lost message of a deleted node after which all are reported in one line. */
const LAST_LOST_MS = 500;

/** A message for the successor: with a result, or without one where nothing was begun. */
interface Held {
  readonly pending: Pending;
  readonly result: JobResult | undefined;
}

/**
 * Delivers the results of a node's messages across deploys. While Node-RED stops and starts nodes, some of those behind this
 * one may be gone, so results wait until all flows have started. Node-RED also forgets a flow's nodes before a close handler
 * could still send for them: their results are delivered by the node that succeeds them under the same id.
 */
export class Mailbox {
  readonly #RED: NodeAPI;
  readonly #id: string;
  #node: Receiver | undefined;
  /** Sends a message once more, in the place of a call whose outcome was unknown. Rejects if it is not accepted. */
  callAgain: ((message: NodeMessage, id: string, client: TenantClient) => Promise<void>) | undefined;
  /** Messages whose results are expected. */
  readonly #tracked = new Heap<Pending>();
  readonly #held: Held[] = [];
  /** Messages that ended with the node, and were not done. */
  readonly #lost: Held[] = [];
  #reportsLost: NodeJS.Timeout | undefined;

  private constructor(RED: NodeAPI, id: string) {
    this.#RED = RED;
    this.#id = id;
  }

  /** The mailbox of a node id, whichever instance of the node is there. */
  static of(RED: NodeAPI, id: string): Mailbox {
    return mailboxes.of(id, () => new Mailbox(RED, id));
  }

  /** Finds the mailbox of a running node, if it has the type. */
  static ofRunning(id: string, type: string | undefined): Mailbox | undefined {
    const mailbox = mailboxes.get(id);
    return mailbox && mailbox.#node?.type === type ? mailbox : undefined;
  }

  /** @param halt starts nothing more, and returns the jobs that have not ended */
  static haltWith(halt: () => readonly Unfinished[]): void {
    senders.push(halt);
  }

  /** Takes the result from a message that a predecessor has left. */
  static takeResult(message: NodeMessage): JobResult | undefined {
    const results = attached.get(message);
    if (results && results.length <= 1) attached.delete(message);
    return results?.shift();
  }

  /** Delivers to this node from now on; what its predecessors have left follows once all flows have started. */
  attach(node: Receiver): void {
    this.#node = node;
    this.#reportLost();
  }

  detach(node: Receiver): void {
    if (this.#node === node) this.#node = undefined;
    this.#flush();
    // Node-RED still delivers to it what was sent just before, and drops that: the node takes no input any more.
    node.receive = (message) => {
      const mailbox = Mailbox.of(this.#RED, this.#id);
      mailbox.leave(new Pending(message, node.type, null, "stored"));
      mailbox.#flush();
    };
  }

  /** Whether the node still receives what is sent to its id. */
  isAttached(node: Receiver): boolean {
    return this.#node === node;
  }

  /** Whether a node was deleted or disabled: what it has not begun must not begin. */
  isAbandonedBy(node: Receiver & { readonly id: string }): boolean {
    return this.#node !== node && flows.isDeleted(node);
  }

  /** Expects the result of a message. */
  track(pending: Pending): void {
    this.#tracked.add(pending);
  }

  /** Expects no result of a message any more: a durable backlog has all of it. */
  untrack(pending: Pending): void {
    this.#tracked.remove(pending);
  }

  /** Delivers the result of a message, or holds it until the flows run. */
  settle(pending: Pending, given: JobResult): void {
    this.untrack(pending);
    const result = Object.assign(given, { mode: pending.mode, isAnswered: pending.answer !== undefined });
    if (pending.isRead || (!result.ok && result.error.outcome !== "unknown")) pending.isRepeatable = true;
    if (!flows.stopping) pending.answer?.settle(this.#RED, result, pending.isRead && isWired(pending.owner));
    if (pending.recorded && !pending.recorded.isOpen) result.reported?.();
    else if (pending.recorded) recordUnfinished(this.#RED, [this.#ended({ pending, result })]);
    else if (flows.running && this.#node === pending.owner) this.#end({ pending, result });
    else this.#held.push({ pending, result });
    this.#flush();
    if (flows.stopping) pending.answer?.stop(false);
  }

  /** Leaves a message that was not begun to the successor. Call it before `detach`. */
  leave(pending: Pending): void {
    this.#held.push({ pending, result: undefined });
  }

  /** Ends what is held once the flows run, and records it if Node-RED stops. */
  #flush(): void {
    const held = flows.running || flows.stopping ? this.#held.splice(0) : [];
    if (flows.stopping)
      recordUnfinished(
        this.#RED,
        held.map((one) => this.#ended(one)),
      );
    else for (const one of held) this.#end(one);
    this.#closeIfEmpty();
  }

  #closeIfEmpty(): void {
    if (!this.#node && this.#tracked.size + this.#held.length + this.#lost.length === 0) mailboxes.delete(this.#id);
  }

  /** The flows run: delivers to the node that is there now, or warns if there is none of the message's type. */
  #end({ pending, result }: Held): void {
    const { message, action, owner, respond, work } = pending;
    const node = this.#node?.type === action ? this.#node : undefined;
    const outcome = result ? outcomeOf(result) : "not-applied";
    if (!node && (outcome === "not-applied" || (work && outcome === "unknown"))) {
      this.#lose({ pending, result });
      return;
    }
    if (!node && owner === "orphan") {
      recordUnfinished(this.#RED, [this.#ended({ pending, result })]);
      return;
    }
    if (!node) warnOf(this.#RED, "undelivered", action, message, outcome);
    else if (node === owner && result && respond) respond.answer(message, result, respond.send, respond.done);
    else {
      if (result) attached.set(message, [...(attached.get(message) ?? []), result]);
      node.receive(message);
    }
    result?.reported?.();
  }

  /** Reports in one line all that end with their node: there may be thousands, which a backlog ends in portions. */
  #lose(held: Held): void {
    if (!held.result) held.pending.answer?.settle(this.#RED, notBegun(dropped()));
    this.#lost.push(held);
    clearTimeout(this.#reportsLost);
    this.#reportsLost = setTimeout(() => this.#reportLost(), LAST_LOST_MS);
  }

  #reportLost(): void {
    clearTimeout(this.#reportsLost);
    this.#reportsLost = undefined;
    const lost = this.#lost.splice(0);
    const [first] = lost;
    if (!first) return;
    const ended = lost.map((one) => this.#ended(one));
    const incidents = lost.filter(({ pending }) => pending.work).length;
    const outcome = ended.some((one) => one.outcome === "unknown") ? "unknown" : "not-applied";
    const counts = { waiting: lost.length - incidents, incidents, outcome };
    logText(this.#RED, "warn", "log.deleted", { action: first.pending.action, node: oneLine(this.#id), ...counts });
    const orphans = ended.filter(({ pending }) => pending.owner === "orphan");
    recordUnfinished(this.#RED, orphans, false);
    for (const { pending, result } of lost) if (pending.owner !== "orphan") result?.reported?.();
    this.#closeIfEmpty();
  }

  #ended({ pending, result }: Held): UnfinishedMessage {
    const outcome = result ? outcomeOf(result) : "not-applied";
    const summary = pending.work?.(undefined).summary ?? result?.summary ?? {};
    return { pending, node: this.#id, summary, outcome, isOpen: false, reported: result?.reported };
  }

  #unfinished(jobs: ReadonlyMap<unknown, Unfinished>, isEnding: boolean): UnfinishedMessage[] {
    const messages = this.#held.splice(0).map((one) => this.#ended(one));
    for (const pending of this.#tracked.items) {
      const { sending, recorded, changed } = pending;
      if (recorded && !recorded.isOpen) continue;
      const known = jobs.get(sending);
      const work = pending.work?.(known);
      pending.kept ||= (work ?? known)?.isKept === true;
      if (pending.kept) continue;
      // A job that its sender no longer knows has just ended, and its result is on its way here.
      const worst = changed || (sending && !sending.isRead) ? "unknown" : "not-applied";
      const isCertain = known && !changed && (isEnding || !known.isInFlight);
      messages.push({
        pending,
        node: this.#id,
        summary: (work ?? known)?.summary ?? {},
        outcome: work?.outcome ?? (isCertain ? known.outcome : worst),
        isOpen: !work && !isEnding && sending !== undefined && known?.isInFlight !== false,
      });
    }
    return messages;
  }

  /**
   * Records every message that has not ended as Node-RED stops, first of all those that may have been applied. Nothing that
   * is not in flight may begin after this.
   */
  static #stop(isEnding: boolean): void {
    const jobs = new Map(senders.flatMap((halt) => halt()).map((one) => [one.owner, one] as const));
    for (const mailbox of mailboxes.values()) mailbox.#reportLost();
    const messages = [...mailboxes.values()].flatMap((mailbox) => mailbox.#unfinished(jobs, isEnding));
    const isUrgent = ({ isOpen, outcome }: UnfinishedMessage) => isOpen || outcome !== "not-applied";
    const [any] = mailboxes.values();
    if (!any) return;
    // Two writes: the process may be killed while the many that wait are put into lines.
    for (const urgent of [true, false]) {
      const some = messages.filter((message) => isUrgent(message) === urgent);
      recordUnfinished(any.#RED, some);
    }
  }

  static {
    flows.onEach("start", mailboxes, (mailbox) => mailbox.#flush());
    flows.on("stop", (isEnding) => {
      Mailbox.#stop(isEnding);
      stopAnswering(isEnding);
    });
  }
}
