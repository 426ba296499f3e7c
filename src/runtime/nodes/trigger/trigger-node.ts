import { asConfigError, type TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { swallowErrors } from "../../node-red/swallow-errors";
import { tellOnce, told } from "../../node-red/tell-once";
import type { Basis, Now, Then } from "../../schedules/hours";
import type { BusinessHour, Gate } from "../gate/gate";
import { HoursNode } from "../gate/hours-node";
import { EdgeCursor, type Edges } from "./edge-cursor";
import { type TriggerSettings, triggerSettings } from "./settings";

export function triggerNode(...args: ConstructorParameters<typeof TriggerNode>): void {
  new TriggerNode(...args);
}

/** Sends a message at each opening and closing of a schedule: openings to the first output, closings to the second. */
class TriggerNode extends HoursNode {
  readonly #cursor: EdgeCursor;
  /** As it was read last. */
  #basis: Basis | undefined;
  #offsets: TriggerSettings["offsets"] | undefined;
  /** Whether the node sends the state when it starts, and whether it sends it as soon as the state is known. */
  #atStart = false;
  #sendsState = false;

  constructor(...[RED, node, config]: ConstructorParameters<typeof HoursNode>) {
    super(RED, node, config);
    this.#cursor = EdgeCursor.of(node.id);
    this.open();
    void this.#begin(config).catch((error: unknown) => this.#refuse(error));
  }

  async #begin(config: Config): Promise<void> {
    const { gate, offsets, atStart } = triggerSettings(config);
    this.#offsets = offsets;
    this.#atStart = this.#sendsState = atStart;
    await this.openGate(gate);
  }

  /** Ignores messages: the node has no input. */
  protected override input(): void {}

  protected override closed(): void {
    super.closed();
    if (flows.stopping) EdgeCursor.forget(this.node.id);
    else if (this.gate && this.#basis) this.#cursor.leave(this.#edgesOf(this.gate, this.#basis));
  }

  #edgesOf({ hours }: Gate, basis: Basis): Edges {
    return (after, until) => hours.edges(after, until, this.#offsets, basis);
  }

  protected async prepare(gate: Gate, now: Now): Promise<Then> {
    this.status.isWatched = gate.hours.inputs.origin === "context";
    try {
      if (now instanceof Error) throw now;
      // A schedule that is known at deploy calls back when it was read. Another one is read here.
      const isRead = !now || gate.hours.inputs.fixedKey;
      const basis = isRead ? now : await gate.hours.basis(now, Date.now());
      if (!basis?.schedule && basis?.problem) throw basis.problem;
      // The nodes behind may be stopped, or not yet started.
      if (!flows.running) await flows.untilRunning();
      return () => (basis?.schedule ? this.#sendDue(gate, basis) : this.show(undefined));
    } catch (error) {
      return () => this.#refuse(error);
    }
  }

  #sendDue(gate: Gate, basis: Basis): number {
    const now = Date.now();
    const before = this.#basis;
    // What was due until now was due by the schedule of that time. The new one moves what is still to come.
    if (before && basis.key && before.schedule !== basis.schedule) this.#handle(gate, before, now);
    this.#basis = basis;
    this.#handle(gate, basis, now);
    told.delete(this.#cursor);
    const decision = gate.decision(basis, now);
    if (this.#sendsState) this.#send(decision.businessHour.open, decision.businessHour);
    this.#sendsState = false;
    const next = this.#cursor.next(this.#edgesOf(gate, basis), now) ?? Number.POSITIVE_INFINITY;
    return Math.min(next, this.show(decision) ?? next);
  }

  #handle(gate: Gate, basis: Basis, now: number): void {
    const isInterrupted = this.#cursor.handle(this.#edgesOf(gate, basis), now, ({ opens, at }) =>
      this.#send(opens, gate.decision(basis, at).businessHour),
    );
    // Edges may have been skipped: the state is sent instead.
    if (isInterrupted) this.#sendsState = this.#atStart;
  }

  #send(opens: boolean, businessHour: BusinessHour): void {
    const payload = opens ? "open" : "closed";
    const { RED, node } = this;
    const message = { _msgid: RED.util.generateId(), topic: businessHour.name ?? "", payload, businessHour };
    this.deliver(message, "not-applied", () => node.send(opens ? [message, null] : [null, message]));
  }

  /** Shows a problem, and reports it once until it is solved. Never throws. Returns when to try again. */
  #refuse(error: unknown): number | undefined {
    // There is no message that could be wrong.
    const problem = asConfigError(error);
    const { gate, status, isClosed } = this;
    if (isClosed) return undefined;
    this.#basis = undefined;
    this.#cursor.skip();
    this.#sendsState = this.#atStart;
    tellOnce(this.#cursor, problem.code, () => this.#report(problem));
    if (gate) return status.follow(problem);
    status.failed(problem);
    return undefined;
  }

  async #report(problem: TenantError): Promise<void> {
    // The Catch node may not be there yet.
    if (!flows.running) await flows.untilRunning();
    const { RED, node, actor, isClosed } = this;
    const message = { _msgid: RED.util.generateId(), topic: "" };
    const error = failure(RED, actor, this.tenant.mode, notBegun(problem));
    if (isClosed) told.delete(this.#cursor);
    else swallowErrors(() => node.error(error, message));
  }
}
