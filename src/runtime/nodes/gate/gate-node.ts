import type { NodeMessage } from "node-red";
import { answerOf, isWired } from "../../delivery/answers";
import { flows } from "../../delivery/flow-lifecycle";
import { type Done, Pending, type Send } from "../../delivery/pending";
import { asTenantError } from "../../node-red/texts";
import type { Now, Then } from "../../schedules/hours";
import { writable } from "../action/target";
import { type BusinessHour, type Decision, type Gate, overrideOf } from "./gate";
import { HandClosing } from "./hand-closing";
import { HoursNode } from "./hours-node";

export function gateNode(...args: ConstructorParameters<typeof GateNode>): void {
  new GateNode(...args);
}

/** Routes messages by a schedule. Sets `msg.businessHour` only; the first output is the one for open. */
class GateNode extends HoursNode {
  readonly #gate: Promise<Gate>;
  readonly #waiting = new Set<Pending>();
  readonly #closing: HandClosing;

  constructor(...[RED, node, config]: ConstructorParameters<typeof HoursNode>) {
    super(RED, node, config);
    this.#closing = HandClosing.follow(RED, node.id, () => void this.gate?.hours.renew());
    this.#gate = this.openGate(config, this.#closing);
    this.#gate.catch((error: unknown) => this.status.failed(asTenantError(error)));
    this.open();
  }

  protected override closed(): void {
    super.closed();
    if (flows.stopping) this.#closing.forget();
    // The successor decides for messages that still wait for a schedule; without one, they are logged.
    for (const pending of this.#waiting) this.mailbox.leave(pending);
    this.#waiting.clear();
  }

  protected override async input(message: NodeMessage, send: Send, done: Done): Promise<void> {
    const pending = new Pending(message, this.actor.type, this.tenant.mode, this.node);
    this.#waiting.add(pending);
    try {
      // Once the gate is open, the values are read before the first await: the flow may change the message later.
      const gate = this.gate ?? (await this.#gate);
      const read = gate.read(message);
      const request = read instanceof Promise ? await read : read;
      if (gate.hours.adopt(request)) this.status.isFollowing = false;
      const deciding = gate.decide(request);
      const decision = deciding instanceof Promise ? await deciding : deciding;
      // The nodes behind may be stopped, or not yet started.
      if (!flows.running) await flows.untilRunning();
      if (this.#waiting.delete(pending)) this.#pass(gate, message, decision, send, done);
    } catch (error) {
      if (this.#waiting.delete(pending)) this.refuse(message, error, done);
    }
  }

  #pass(gate: Gate, message: NodeMessage, decision: Decision, send: Send, done: Done): void {
    const { businessHour } = decision;
    const { status } = this;
    const isOutdated = status.isWatched && overrideOf(decision) !== status.override;
    if (businessHour.reason === "unknown" || !status.isFollowing || isOutdated) void gate.hours.renew();
    this.deliver(message, "not-applied", () => {
      const out = writable(message, ["businessHour"]) as NodeMessage & { businessHour?: BusinessHour };
      out.businessHour = businessHour;
      send(businessHour.open ? [out, null] : [null, out]);
      const reason = businessHour.open ? "open" : "closed";
      if (!isWired(this.node, businessHour.open ? 0 : 1))
        answerOf(message)?.tell({ status: 200, body: { accepted: false, reason } });
      done();
    });
  }

  protected async prepare(gate: Gate, now: Now): Promise<Then> {
    const current = now instanceof Error ? asTenantError(now) : await gate.current(now).catch(asTenantError);
    return () => this.show(current);
  }
}
