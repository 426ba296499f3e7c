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
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #running: RunningGate;
  readonly #cursor: EdgeCursor;
  #edgesOf: (schedule: Schedule, exceptions: Exceptions, zone: Zone) => Edges = () => () => [];
  #basis: Basis | undefined;
  /** Whether the node sends the state when it starts, and whether it sends it as soon as the state is known. */
  #atStart = false;
  #sendsState = false;
  /** Wakes the node at the next edge. No timer outlives the node. */
  #timer: NodeJS.Timeout | undefined;
  #evaluation: "idle" | "asked for" | "running" = "idle";

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.#RED = RED;
    this.#node = node;
    this.#running = new RunningGate(RED, node, config, () => void this.#evaluateAll());
    this.#cursor = EdgeCursor.of(node.id);
    void this.#begin(config).catch((error: unknown) => this.#refuse(error));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
  }

  async #begin(config: Config): Promise<void> {
    const { gate, offsets, atStart } = triggerSettings(config);
    this.#edgesOf = memoizeLast((...basis) => edges(...basis, offsets));
    this.#atStart = this.#sendsState = atStart;
    const { inputs } = await this.#running.open(gate);
    this.#running.status.isWatched = inputs.origin === "context";
    await this.#evaluateAll();
  }

  #close(removed: boolean): void {
    clearTimeout(this.#timer);
    this.#running.close(removed);
    if (removed || flows.stopping) EdgeCursor.forget(this.#node.id);
    else if (this.#basis) this.#cursor.leave(this.#basis.edges);
  }

  /** Sends what is due, one evaluation after the other. Never rejects: that would end the process. */
  async #evaluateAll(): Promise<void> {
    const isIdle = this.#evaluation === "idle";
    this.#evaluation = "asked for";
    if (!isIdle) return;
    while (this.#evaluation === "asked for" && !this.#running.isClosed) {
      this.#evaluation = "running";
      await this.#evaluate().catch((error: unknown) => this.#refuse(error));
    }
    this.#evaluation = "idle";
  }

  async #evaluate(): Promise<void> {
    const running = this.#running;
    const { gate } = running;
    if (!gate) return;
    const inputs = await gate.inputs.readInputs();
    await resolvedInSlices(inputs.exceptions, inputs.zone, Date.now());
    // A schedule that is known at deploy calls back when it was read. Another one is read here.
    const cached = gate.inputs.fixedKey ? gate.peek(inputs) : await gate.scheduleOf(inputs);
    // The nodes behind may be stopped, or not yet started.
    if (!flows.running) await flows.untilRunning();
    if (running.isClosed) return;
    if (cached && !cached.schedule) throw problemOf(cached);
    running.report(inputs);
    if (cached) this.#advance(gate, inputs, cached);
    running.show(await gate.current(inputs));
  }

  #advance(gate: Gate, inputs: GateInputs, cached: CachedSchedule): void {
    const now = Date.now();
    const before = this.#basis;
    // What was due until now was due by the schedule of that time. The new one moves what is still to come.
    if (before && inputs.key && before.cached.schedule !== cached.schedule) this.#handle(gate, before, now);
    const { schedule } = cached;
    const edges = schedule ? this.#edgesOf(schedule, inputs.exceptions, inputs.zone) : () => [];
    this.#basis = { inputs, cached, edges };
    this.#handle(gate, this.#basis, now);
    this.#cursor.reported = undefined;
    if (this.#sendsState && !this.#running.isClosed) {
      this.#sendsState = false;
      const { businessHour } = gate.decision(inputs, cached, now);
      this.#send(businessHour.open, businessHour);
    }
    clearTimeout(this.#timer);
    const next = this.#cursor.next(edges, now);
    if (next !== undefined && !this.#running.isClosed)
      this.#timer = setTimeout(() => void this.#evaluateAll(), next - Date.now());
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
    const message = { _msgid: this.#RED.util.generateId(), topic: businessHour.name ?? "", payload, businessHour };
    deliver(this.#RED, ACTION, message, "not-applied", () =>
      this.#node.send(opens ? [message, null] : [null, message]),
    );
  }

  /** Shows a problem, and reports it once until it is solved. Never throws. */
  #refuse(error: unknown): void {
    // There is no message that could be wrong.
    const problem = asConfigError(error);
    const { gate, status, isClosed } = this.#running;
    if (isClosed) return;
    this.#basis = undefined;
    this.#cursor.skip();
    this.#sendsState = this.#atStart;
    if (gate) status.follow(problem);
    else status.failed(problem);
    if (this.#cursor.reported === problem.code) return;
    this.#cursor.reported = problem.code;
    void this.#report(problem);
  }

  async #report(problem: TenantError): Promise<void> {
    // The Catch node may not be there yet.
    if (!flows.running) await flows.untilRunning();
    const message = { _msgid: this.#RED.util.generateId(), topic: "" };
    const error = failure(this.#RED, { type: ACTION }, this.#running.tenant.mode, notBegun(problem));
    if (this.#running.isClosed) this.#cursor.reported = undefined;
    else swallowErrors(() => this.#node.error(error, message));
  }
}
