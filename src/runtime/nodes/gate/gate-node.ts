import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../../fields";
import { answerOf, isWired } from "../../delivery/answers";
import { refuse } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { type Done, Pending, type Send } from "../../delivery/pending";
import { asTenantError } from "../../node-red/texts";
import { writable } from "../action/target";
import { type BusinessHour, type Decision, type Gate, overrideOf } from "./gate";
import { HandClosing } from "./hand-closing";
import type { GateInputs, GateRequest } from "./inputs";
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

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: Config,
  ) {
    this.#running = new RunningGate(RED, node, config, (isLatest) => this.#evaluate(isLatest));
    const renew = () => void this.#running.hours.renew();
    this.#closing = HandClosing.follow(RED, node.id, renew);
    this.#gate = this.#running.open(config, this.#closing);
    this.#gate.then(renew, (error: unknown) => this.#running.status.failed(asTenantError(error)));
    Mailbox.of(RED, node.id).attach(node);
    node.on("input", (message, send, done) => void this.#input(message, send, done));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
  }

  #close(removed: boolean): void {
    this.#running.close(removed);
    if (removed || flows.stopping) this.#closing.forget();
    // The successor decides for messages that still wait for a schedule; without one, they are logged.
    const mailbox = Mailbox.of(this.RED, this.node.id);
    for (const pending of this.#waiting) mailbox.leave(pending);
    this.#waiting.clear();
    mailbox.detach(this.node, removed);
  }

  /** Never rejects: that would end the process. */
  async #input(message: NodeMessage, send: Send, done: Done): Promise<void> {
    const pending = new Pending(message, ACTION, this.#running.tenant.mode, this.node);
    this.#waiting.add(pending);
    try {
      // Once the gate is open, the values are read before the first await: the flow may change the message later.
      const gate = this.#running.gate ?? (await this.#gate);
      const request = await gate.inputs.readRequest(message);
      this.#remember(request);
      const decision = await gate.decide(request);
      // The nodes behind may be stopped, or not yet started.
      if (!flows.running) await flows.untilRunning();
      if (this.#waiting.delete(pending)) this.#pass(message, decision, send, done);
    } catch (error) {
      if (this.#waiting.delete(pending)) this.#fail(message, error, done);
    }
  }

  /** The status no longer follows inputs that differ from those of the last message. */
  #remember(request: GateRequest): void {
    this.#running.report(request);
    const last = this.#lastInputs;
    const isSame =
      last?.schedule === request.schedule &&
      last?.exceptions === request.exceptions &&
      last?.zone === request.zone &&
      JSON.stringify(last?.key) === JSON.stringify(request.key);
    if (!isSame) this.#running.unfollow();
    this.#lastInputs = request;
  }

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

  #fail(message: NodeMessage, error: unknown, done: Done): void {
    const problem = asTenantError(error);
    const { status, tenant } = this.#running;
    status.failed(problem);
    refuse(this.RED, { type: ACTION }, tenant.mode, message, problem, done);
  }

  #showDecision(decision: Decision): void {
    const { status, hours } = this.#running;
    if (decision.problem) status.failed(decision.problem);
    else if (status.follows !== "decision") void this.#showUnfollowed(decision);
    else if (status.isWatched && overrideOf(decision) !== status.override) void hours.renew();
  }

  async #showUnfollowed(decision: Decision): Promise<void> {
    const { status, hours } = this.#running;
    await hours.renew();
    if (status.follows === "nothing" && !hours.isClosed) status.show(decision);
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
