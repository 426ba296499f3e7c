import type { Node, NodeAPI, NodeMessage } from "node-red";
import {
  asConfigError,
  type JobResult,
  notSent,
  type Outcome,
  type TenantClient,
  type TenantError,
} from "../../client";
import type { Host } from "../../fields";
import { reasonOf } from "../../fields/quote";
import { answerOf } from "../delivery/answers";
import { failure, notBegun } from "../delivery/failure";
import { Mailbox } from "../delivery/mailbox";
import { warnOf } from "../delivery/message-log";
import { type Answer, type Done, Pending, type Send } from "../delivery/pending";
import { hostOf } from "../node-red/host";
import { StatusLine } from "../node-red/status";
import { type Actor, asTenantError } from "../node-red/texts";
import type { Tenant } from "../tenants/chosen-tenant";

/**
 * A node of a flow, with a tenant, a status and a mailbox, and the order in which it opens and closes. What a subclass adds must
 * neither throw nor reject: that would end the process.
 */
export abstract class TelephonyNode {
  /** ERR_CONFIG, if the tenant or the node is badly configured: every message fails with it. */
  problem: TenantError | undefined;
  protected isClosed = false;
  protected readonly mailbox: Mailbox;
  /** Ends a message that this instance of the node, or an earlier one, has accepted. */
  declare protected readonly answer?: Answer;

  constructor(
    protected readonly RED: NodeAPI,
    readonly node: Node,
    readonly tenant: Tenant,
    protected readonly actor: Actor = { type: node.type },
    protected readonly status = new StatusLine(RED, node, tenant, actor.effect),
  ) {
    this.problem = tenant.problem;
    this.mailbox = Mailbox.of(RED, node.id);
  }

  /** Resolves to the result of a message, or to `undefined` if the mailbox gets it. Rejects where nothing was begun. */
  protected begin?(pending: Pending): Promise<JobResult | undefined>;
  /** Follows a change: call-outs of the tenant are paused, held or resumed, or its backlog fails. */
  protected changed?(): void;
  protected closed?(): void;

  /** Returns what the node's fields are read with. */
  protected host(isAlarm = false): Host {
    // Where the tenant does not refuse such a number.
    const mayBeTwo = (number: string) => this.tenant.client?.options.guard?.mayBeTwo(number, isAlarm) === true;
    return { ...hostOf(this.RED, this.node, this.actor), mayBeTwo };
  }

  /** Reads settings. The first mistake in them is the node's problem, unless its tenant has one. */
  protected read<T>(settings: () => T): T | undefined {
    try {
      return settings();
    } catch (error) {
      this.problem ??= asConfigError(error);
      return undefined;
    }
  }

  /** Opens the node. Call once all settings are read. */
  protected open(): void {
    const { node, status, mailbox, problem, answer } = this;
    const { client } = this.tenant;
    if (problem) status.failed(problem);
    mailbox.attach(node);
    if (this.begin) mailbox.callAgain = (...args) => this.#callAgain(...args);
    const unfollow = this.changed && client?.follow({ changed: () => this.changed?.() });
    node.on("input", (message, send, done) => {
      const result = answer && Mailbox.takeResult(message);
      if (result) answer(message, result, send, done);
      else this.input(message, send, done);
    });
    node.on("close", () => {
      this.isClosed = true;
      unfollow?.();
      this.closed?.();
      mailbox.detach(node);
    });
  }

  /** Accepts a message. Nothing awaits its result: the frame of an async function costs a waiting call more memory than its request. */
  protected input(message: NodeMessage, send: Send, done: Done): unknown {
    const { actor, answer, mailbox } = this;
    const pending = new Pending(message, actor.type, this.tenant.mode, this.node, answer && { answer, send, done });
    pending.isRead = actor.effect === "none";
    mailbox.track(pending);
    // A rejection would end the process.
    return this.begin?.(pending).then(
      (result) => result && mailbox.settle(pending, result),
      (error: unknown) => mailbox.settle(pending, notBegun(asTenantError(error))),
    );
  }

  /** Sends a message once more, in the place of a call whose outcome was unknown. Rejects if the new call is not accepted. */
  async #callAgain(message: NodeMessage, id: string, client: TenantClient): Promise<void> {
    if (this.tenant.client !== client) throw notSent("ERR_INPUT", "input", { key: "input.againMoved", field: "id" });
    const pending = new Pending(message, this.actor.type, this.tenant.mode, "stored");
    this.mailbox.track(pending);
    await new Promise<void>((resolve, reject) => {
      pending.again = { id, accepted: resolve, refused: reject };
      this.begin?.(pending).catch((error: unknown) => {
        this.mailbox.untrack(pending);
        reject(asTenantError(error));
      });
    });
  }

  /** Fails a message that led to no request, and shows why. */
  protected refuse(message: NodeMessage, error: unknown, done: Done): void {
    const { RED, actor, tenant } = this;
    const failed = notBegun(asTenantError(error));
    this.status.failed(failed.error);
    answerOf(message)?.settle(RED, failed);
    this.deliver(message, "not-applied", () => done(failure(RED, actor, tenant.mode, failed)));
  }

  /**
   * Passes a message to the next nodes. Never throws: Node-RED copies a message for a second wire or a Catch node, and a
   * message that cannot be copied is logged.
   */
  protected deliver(message: NodeMessage, outcome: Outcome, pass: () => void): void {
    try {
      pass();
    } catch (error) {
      warnOf(this.RED, "undeliverable", this.actor.type, message, outcome, reasonOf(error));
    }
  }
}
