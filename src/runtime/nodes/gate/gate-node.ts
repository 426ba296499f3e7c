import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../../fields";
import type { Exceptions, Schedule, Zone } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { answerOf, isWired } from "../../delivery/answers";
import { refuser } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { type Done, Pending, type Send } from "../../delivery/pending";
import { asTenantError } from "../../node-red/texts";
import { writable } from "../action/target";
import { type BusinessHour, type Decision, type Gate, overrideOf } from "./gate";
import { HandClosing } from "./hand-closing";
import type { GateInputs } from "./inputs";
import { RunningGate } from "./running-gate";

const ACTION = "business-hour-gate";

export function gateNode(...args: ConstructorParameters<typeof GateNode>): void {
  new GateNode(...args);
}

/** Routes messages by a schedule. Sets `msg.businessHour` only; the first output is the one for open. */
class GateNode {
  readonly #running: RunningGate;
  readonly #gate: Promise<Gate>;
  readonly #waiting = new Set<Pending>();
  /** The inputs of the last message. The status follows them where inputs come with messages. */
  #lastInputs: GateInputs | undefined;
  readonly #closing: HandClosing;
  readonly #refuse: ReturnType<typeof refuser>;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: Config,
  ) {
    this.#running = new RunningGate(RED, node, config, (isLatest) => this.#evaluate(isLatest));
    this.#refuse = refuser(RED, { type: ACTION }, this.#running.tenant.mode, this.#running.status);
    const renew = () => void this.#running.hours.renew();
    this.#closing = HandClosing.follow(RED, node.id, renew);
    this.#gate = this.#running.open(config, this.#closing);
    this.#gate.then(renew, (error: unknown) => this.#running.status.failed(asTenantError(error)));
    Mailbox.of(RED, node.id).attach(node);
    node.on("input", (message, send, done) => void this.#input(message, send, done));
    node.on("close", () => this.#close());
  }

  #close(): void {
    this.#running.hours.close();
    if (flows.stopping) this.#closing.forget();
    // The successor decides for messages that still wait for a schedule; without one, they are logged.
    const mailbox = Mailbox.of(this.RED, this.node.id);
    for (const pending of this.#waiting) mailbox.leave(pending);
    this.#waiting.clear();
    mailbox.detach(this.node);
  }

  /** Never rejects: that would end the process. */
  async #input(message: NodeMessage, send: Send, done: Done): Promise<void> {
    const pending = new Pending(message, ACTION, this.#running.tenant.mode, this.node);
    this.#waiting.add(pending);
    try {
      // Once the gate is open, the values are read before the first await: the flow may change the message later.
      const gate = this.#running.gate ?? (await this.#gate);
      const read = gate.inputs.readRequest(message);
      const request = read instanceof Promise ? await read : read;
      this.#running.report(request);
      this.#unfollowOthers(request.schedule, request.exceptions, request.zone, JSON.stringify(request.key));
      this.#lastInputs = request;
      const deciding = gate.decide(request);
      const decision = deciding instanceof Promise ? await deciding : deciding;
      // The nodes behind may be stopped, or not yet started.
      if (!flows.running) await flows.untilRunning();
      if (this.#waiting.delete(pending)) this.#pass(message, decision, send, done);
    } catch (error) {
      if (this.#waiting.delete(pending)) this.#refuse(message, error, done);
    }
  }

  /** The status no longer follows inputs that differ from those of the last message. */
  readonly #unfollowOthers = memoizeLast(
    (_schedule?: Schedule, _exceptions?: Exceptions, _zone?: Zone, _key?: string) => this.#running.unfollow(),
  );

  #pass(message: NodeMessage, decision: Decision, send: Send, done: Done): void {
    const { businessHour } = decision;
    this.#showDecision(decision);
    deliver(this.RED, ACTION, message, "not-applied", () => {
      const out = writable(message, ["businessHour"]) as NodeMessage & { businessHour?: BusinessHour };
      out.businessHour = businessHour;
      send(businessHour.open ? [out, null] : [null, out]);
      const reason = businessHour.open ? "open" : "closed";
      if (!isWired(this.node, businessHour.open ? 0 : 1))
        answerOf(message)?.tell({ status: 200, body: { accepted: false, reason } });
      done();
    });
  }

  #showDecision(decision: Decision): void {
    const { status, hours } = this.#running;
    const isOutdated = status.isWatched && overrideOf(decision) !== status.override;
    if (decision.problem || !status.isFollowing || isOutdated) void hours.renew();
  }

  /** Shows what holds now. */
  async #evaluate(isLatest: () => boolean): Promise<number | undefined> {
    const current = await this.#current().catch(asTenantError);
    return isLatest() ? this.#running.show(current) : undefined;
  }

  async #current(): ReturnType<Gate["current"]> {
    const gate = await this.#gate;
    const inputs = gate.inputs.origin === "message" ? this.#lastInputs : await gate.inputs.readInputs();
    if (inputs) this.#running.report(inputs);
    return gate.current(inputs);
  }
}
