import type { NodeAPI, NodeMessage } from "node-red";
import { type JobResult, outcomeOf, type Unfinished } from "../../tenant";
import { flows } from "./flow-lifecycle";
import { recordUnfinished, warnOf } from "./message-log";

/** A node, as far as a mailbox needs it. */
export interface Receiver {
  receive(message: NodeMessage): void;
}

/** A message that a node has accepted and that has not ended. */
export interface Pending {
  readonly message: NodeMessage;
  readonly action: string;
  /** The instance of the node that accepted the message. */
  readonly owner: Receiver;
  /** Delivers the result through that instance, if it is still attached. */
  readonly deliver: (result: JobResult) => void;
}

/** By node id. At module level, because it must outlive a redeploy. */
const mailboxes = new Map<string, Mailbox>();

/**
 * Results that a successor receives with a message, to be delivered with its own `send` and `done`. Several for a message
 * object that a flow has sent more than once.
 */
const attached = new WeakMap<NodeMessage, JobResult[]>();

/**
 * Delivers the results of a node's messages across redeploys. Node-RED forgets a flow's nodes before a close handler could
 * still send for them, so a result that arrives later is delivered by the node that succeeds them under the same id.
 */
export class Mailbox {
  readonly #RED: NodeAPI;
  readonly #id: string;
  #node: Receiver | undefined;
  #abandoned = false;
  #inFlight = 0;
  /** Messages for the successor: with a result, or without one where nothing was begun. */
  readonly #held: { readonly pending: Pending; readonly result: JobResult | undefined }[] = [];

  private constructor(RED: NodeAPI, id: string) {
    this.#RED = RED;
    this.#id = id;
  }

  /** The mailbox of a node id, whichever instance of the node is there. */
  static of(RED: NodeAPI, id: string): Mailbox {
    const known = mailboxes.get(id);
    if (known) return known;
    const mailbox = new Mailbox(RED, id);
    mailboxes.set(id, mailbox);
    return mailbox;
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
    this.#abandoned = false;
  }

  /** @param removed the node is deleted or disabled: there is no successor */
  detach(node: Receiver, removed: boolean): void {
    if (this.#node !== node) return;
    this.#node = undefined;
    this.#abandoned = removed;
    this.flush();
  }

  /** Whether the node still receives what is sent to its id. */
  isAttached(node: Receiver): boolean {
    return this.#node === node;
  }

  /** Whether the node was deleted or disabled: what it has not begun must not begin. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Expects the result of a message. */
  track(): void {
    this.#inFlight += 1;
  }

  /** Delivers the result of a tracked message, or holds it for the successor. */
  settle(pending: Pending, result: JobResult): void {
    this.#inFlight -= 1;
    if (!flows.stopping && this.#node === pending.owner) pending.deliver(result);
    else this.#held.push({ pending, result });
    this.flush();
  }

  /** Leaves a message that was not begun to the successor. Call it before `detach`. */
  leave(pending: Pending): void {
    this.#held.push({ pending, result: undefined });
    if (flows.stopping) this.flush();
  }

  /** Delivers what is held if the successor is ready, warns if there is none, and records it if Node-RED stops. */
  flush(): void {
    const node = flows.running ? this.#node : undefined;
    if (flows.stopping || node || this.#abandoned) {
      for (const { pending, result } of this.#held.splice(0)) {
        const { message, action } = pending;
        const outcome = result ? outcomeOf(result) : "not-applied";
        const summary = result?.summary ?? {};
        if (flows.stopping) recordUnfinished(this.#RED, this.#id, action, message, { summary, outcome });
        else if (node) {
          if (result) attached.set(message, [...(attached.get(message) ?? []), result]);
          node.receive(message);
        } else warnOf(this.#RED, "undelivered", action, message, outcome);
      }
    }
    if (!this.#node && this.#inFlight === 0 && this.#held.length === 0) mailboxes.delete(this.#id);
  }

  /** Records a job that the end of the process cuts off. */
  static recordUnfinished({ job, summary, outcome }: Unfinished): void {
    const mailbox = mailboxes.get(job.nodeId);
    if (mailbox) recordUnfinished(mailbox.#RED, job.nodeId, job.action, { _msgid: job.id }, { summary, outcome });
  }
}

flows.onChange(() => {
  for (const mailbox of mailboxes.values()) mailbox.flush();
});
