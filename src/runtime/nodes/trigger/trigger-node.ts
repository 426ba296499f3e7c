import type { Node, NodeAPI } from "node-red";
import { asConfigError, type TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { type Edge, type Edges, type Exceptions, edges, type Schedule, type Zone } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { deliver } from "../../delivery/message-log";
import { swallowErrors } from "../../node-red/swallow-errors";
import { resolvedInSlices } from "../../schedules/read-in-slices";
import type { CachedSchedule } from "../../schedules/schedule-cache";
import { type BusinessHour, type Gate, problemOf } from "../gate/gate";
import type { GateInputs } from "../gate/inputs";
import { RunningGate } from "../gate/running-gate";
import { EdgeCursor } from "./edge-cursor";
import { triggerSettings } from "./settings";

const ACTION = "business-hour-trigger";

/** A schedule as it holds now, and its edges. */
interface Basis {
  readonly inputs: GateInputs;
  readonly cached: CachedSchedule;
  readonly edges: Edges;
}

export function triggerNode(...args: ConstructorParameters<typeof TriggerNode>): void {
  new TriggerNode(...args);
}

/** Sends a message at each opening and closing of a schedule: openings to the first output, closings to the second. */
class TriggerNode {
  readonly #running: RunningGate;
  readonly #cursor: EdgeCursor;
  #edgesOf: (schedule: Schedule, exceptions: Exceptions, zone: Zone) => Edges = () => () => [];
  #basis: Basis | undefined;
  /** Whether the node sends the state when it starts, and whether it sends it as soon as the state is known. */
  #atStart = false;
  #sendsState = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: Config,
  ) {
    this.#running = new RunningGate(RED, node, config, (isLatest) => this.#evaluate(isLatest));
    this.#cursor = EdgeCursor.of(node.id);
    void this.#begin(config).catch((error: unknown) => this.#refuse(error));
    node.on("close", () => this.#close());
  }

  async #begin(config: Config): Promise<void> {
    const { gate, offsets, atStart } = triggerSettings(config);
    this.#edgesOf = memoizeLast((...basis) => edges(...basis, offsets));
    this.#atStart = this.#sendsState = atStart;
    const { inputs } = await this.#running.open(gate);
    this.#running.status.isWatched = inputs.origin === "context";
    await this.#running.hours.renew();
  }

  #close(): void {
    this.#running.hours.close();
    if (flows.stopping) EdgeCursor.forget(this.node.id);
    else if (this.#basis) this.#cursor.leave(this.#basis.edges);
  }

  async #evaluate(isLatest: () => boolean): Promise<number | undefined> {
    try {
      return await this.#sendDue(isLatest);
    } catch (error) {
      return isLatest() ? this.#refuse(error) : undefined;
    }
  }

  /** Sends what is due, and returns until when nothing is. */
  async #sendDue(isLatest: () => boolean): Promise<number | undefined> {
    const running = this.#running;
    const { gate } = running;
    if (!gate) return undefined;
    const inputs = await gate.inputs.readInputs();
    await resolvedInSlices(inputs.exceptions, inputs.zone, Date.now());
    // A schedule that is known at deploy calls back when it was read. Another one is read here.
    const cached = gate.inputs.fixedKey ? gate.peek(inputs) : await gate.scheduleOf(inputs);
    // The nodes behind may be stopped, or not yet started.
    if (!flows.running) await flows.untilRunning();
    if (!isLatest()) return undefined;
    if (cached && !cached.schedule) throw problemOf(cached);
    running.report(inputs);
    const next = cached && this.#advance(gate, inputs, cached);
    const current = await gate.current(inputs);
    const expires = isLatest() ? running.show(current) : undefined;
    return next === undefined || expires === undefined ? (next ?? expires) : Math.min(next, expires);
  }

  /** Sends what is due, and returns when the next edge is. */
  #advance(gate: Gate, inputs: GateInputs, cached: CachedSchedule): number | undefined {
    const now = Date.now();
    const before = this.#basis;
    // What was due until now was due by the schedule of that time. The new one moves what is still to come.
    if (before && inputs.key && before.cached.schedule !== cached.schedule) this.#handle(gate, before, now);
    const { schedule } = cached;
    const edges = schedule ? this.#edgesOf(schedule, inputs.exceptions, inputs.zone) : () => [];
    this.#basis = { inputs, cached, edges };
    this.#handle(gate, this.#basis, now);
    this.#cursor.reported = undefined;
    if (this.#sendsState && !this.#running.hours.isClosed) {
      this.#sendsState = false;
      const { businessHour } = gate.decision(inputs, cached, now);
      this.#send(businessHour.open, businessHour);
    }
    return this.#cursor.next(edges, now);
  }

  #handle(gate: Gate, { inputs, cached, edges }: Basis, now: number): void {
    const isInterrupted = this.#cursor.handle(edges, now, ({ opens, at }: Edge) =>
      this.#send(opens, gate.decision(inputs, cached, at).businessHour),
    );
    // Edges may have been skipped: the state is sent instead.
    if (isInterrupted) this.#sendsState = this.#atStart;
  }

  #send(opens: boolean, businessHour: BusinessHour): void {
    const payload = opens ? "open" : "closed";
    const message = { _msgid: this.RED.util.generateId(), topic: businessHour.name ?? "", payload, businessHour };
    deliver(this.RED, ACTION, message, "not-applied", () => this.node.send(opens ? [message, null] : [null, message]));
  }

  /** Shows a problem, and reports it once until it is solved. Never throws. Returns when to try again. */
  #refuse(error: unknown): number | undefined {
    // There is no message that could be wrong.
    const problem = asConfigError(error);
    const { gate, status, hours } = this.#running;
    if (hours.isClosed) return undefined;
    this.#basis = undefined;
    this.#cursor.skip();
    this.#sendsState = this.#atStart;
    if (this.#cursor.reported !== problem.code) void this.#report(problem);
    this.#cursor.reported = problem.code;
    if (gate) return status.follow(problem);
    status.failed(problem);
    return undefined;
  }

  async #report(problem: TenantError): Promise<void> {
    // The Catch node may not be there yet.
    if (!flows.running) await flows.untilRunning();
    const message = { _msgid: this.RED.util.generateId(), topic: "" };
    const error = failure(this.RED, { type: ACTION }, this.#running.tenant.mode, notBegun(problem));
    if (this.#running.hours.isClosed) this.#cursor.reported = undefined;
    else swallowErrors(() => this.node.error(error, message));
  }
}
