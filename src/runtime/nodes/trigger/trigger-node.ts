import type { Node, NodeAPI } from "node-red";
import type { Config } from "../../../fields";
import { type Edge, type Edges, edges } from "../../../hours";
import { asConfigError, notSent, type TenantError } from "../../../tenant";
import { failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { deliver } from "../../delivery/message-log";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { swallowErrors } from "../../node-red/swallow-errors";
import { CalendarFollower } from "../../schedules/calendars/calendar-follower";
import { type Clock, type ClockChange, clockOf, longestSleep, waitFor } from "../../schedules/clock";
import type { CachedSchedule } from "../../schedules/schedule-cache";
import { chosenTenant, type Tenant } from "../../tenants/chosen-tenant";
import { type BusinessHour, Gate } from "../gate/gate";
import { HolidayNotices } from "../gate/holiday-notices";
import type { GateInputs } from "../gate/inputs";
import { GateStatus } from "../gate/status";
import { EdgeCursor } from "./edge-cursor";
import { type TriggerSettings, triggerSettings } from "./settings";

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
  readonly #tenant: Tenant;
  readonly #status: GateStatus;
  readonly #clock: Clock;
  readonly #cursor: EdgeCursor;
  #gate: Gate | undefined;
  #settings: TriggerSettings | undefined;
  #basis: Basis | undefined;
  /** Whether the state is to be told as soon as it is known. */
  #tellsState = false;
  #unfollowSchedule: (() => void) | undefined;
  readonly #unfollowClock: () => void;
  /** The clock was set by hand, and the node has not evaluated it yet. */
  #change: ClockChange | undefined;
  /** Wakes the node at the next edge. No timer outlives the node. */
  #timer: NodeJS.Timeout | undefined;
  #isEvaluating = false;
  #evaluatesAgain = false;
  readonly #calendars: CalendarFollower;
  readonly #notices: HolidayNotices;
  #closed = false;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.#RED = RED;
    this.#node = node;
    this.#tenant = chosenTenant(RED, config);
    this.#clock = clockOf(config, this.#tenant);
    this.#cursor = EdgeCursor.of(node.id, this.#clock);
    this.#unfollowClock = this.#clock.follow((change) => {
      this.#change = { before: this.#change?.before ?? change.before, now: change.now };
      void this.#evaluateAll();
    });
    // A trigger with its own schedule reads nothing of a sandbox.
    const mode = (config["source"] !== "value" && this.#tenant.mode) || "live";
    this.#status = new GateStatus(RED, node, mode, () => void this.#evaluateAll(), this.#clock);
    this.#calendars = new CalendarFollower(RED, () => void this.#evaluateAll());
    this.#notices = new HolidayNotices(RED, node);
    void this.#begin(config).catch((error: unknown) => this.#refuse(error));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
  }

  async #begin(config: Config): Promise<void> {
    this.#settings = triggerSettings(config);
    this.#tellsState = this.#settings.atStart;
    const host = this.#calendars.host(hostOf(this.#RED, this.#node));
    const gate = await Gate.open(this.#settings.gate, this.#tenant, host, shared(this.#RED, "language"));
    if (this.#closed) return;
    this.#gate = gate;
    this.#status.serverZone = gate.serverZone;
    this.#status.isWatched = gate.inputs.origin === "context";
    const { fixedKey } = gate.inputs;
    if (fixedKey) {
      const changed = () => void this.#evaluateAll();
      this.#unfollowSchedule = this.#tenant.schedules?.follow(fixedKey, this, gate.settings.refreshMs, changed);
    }
    await this.#evaluateAll();
  }

  #close(removed: boolean): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#status.close(removed);
    this.#unfollowSchedule?.();
    this.#unfollowClock();
    this.#calendars.close();
    if (removed || flows.stopping) EdgeCursor.forget(this.#node.id);
    else if (this.#basis) this.#cursor.leave(this.#basis.edges, this.#clock.now());
  }

  /** Sends what is due, one evaluation after the other. Never rejects: that would end the process. */
  async #evaluateAll(): Promise<void> {
    this.#evaluatesAgain = true;
    if (this.#isEvaluating) return;
    this.#isEvaluating = true;
    while (this.#evaluatesAgain && !this.#closed) {
      this.#evaluatesAgain = false;
      await this.#evaluate().catch((error: unknown) => this.#refuse(error));
    }
    this.#isEvaluating = false;
  }

  async #evaluate(): Promise<void> {
    const gate = this.#gate;
    if (!gate) return;
    const inputs = await gate.inputs.readInputs();
    // A schedule that is known at deploy calls back when it was read. Another one is read here.
    const cached = gate.inputs.fixedKey ? gate.peek(inputs) : await gate.scheduleOf(inputs);
    // The nodes behind may be stopped, or not yet started.
    if (!flows.running) await flows.untilRunning();
    if (this.#closed) return;
    if (cached && !cached.schedule)
      throw cached.problem ?? notSent("ERR_SCHEDULE", "input", { retryable: true, key: "scheduleNotGiven" });
    this.#notices.look(inputs, gate.clock);
    this.#status.copyOf = this.#calendars.copyOf;
    if (cached) this.#advance(gate, inputs, cached);
    const current = await gate.current(inputs);
    if (!this.#closed) this.#status.follow(current);
  }

  #advance(gate: Gate, inputs: GateInputs, cached: CachedSchedule): void {
    const now = this.#clock.now();
    const before = this.#basis;
    const change = this.#change;
    this.#change = undefined;
    if (change) {
      // What the running clock has passed was due. What it was set past by hand is not.
      if (before) this.#handle(gate, before, change.before);
      this.#cursor.skip(change.now);
    }
    // What was due until now was due by the schedule of that time. The new one moves what is still to come.
    if (before && inputs.key && before.cached.schedule !== cached.schedule) this.#handle(gate, before, now);
    this.#basis = this.#basisOf(inputs, cached);
    this.#handle(gate, this.#basis, now);
    this.#cursor.reported = undefined;
    if (this.#tellsState && !this.#closed) {
      this.#tellsState = false;
      const { businessHour } = gate.decision(inputs, cached, now);
      this.#send(businessHour.open, businessHour);
    }
    this.#wake(now);
  }

  #basisOf(inputs: GateInputs, cached: CachedSchedule): Basis {
    const { schedule } = cached;
    const { exceptions, zone } = inputs;
    const before = this.#basis;
    const isSame =
      before?.cached.schedule === schedule && before?.inputs.exceptions === exceptions && before?.inputs.zone === zone;
    if (before && isSame) return { ...before, inputs, cached };
    const offsets = this.#settings?.offsets ?? { opening: 0, closing: 0 };
    return { inputs, cached, edges: schedule ? edges(schedule, exceptions, zone, offsets) : () => [] };
  }

  #handle(gate: Gate, { inputs, cached, edges }: Basis, now: number): void {
    const isInterrupted = this.#cursor.handle(edges, now, ({ opens, at }: Edge) =>
      this.#send(opens, gate.decision(inputs, cached, at).businessHour),
    );
    if (isInterrupted) this.#interrupt();
  }

  /** Edges may have been skipped: the state is told instead. */
  #interrupt(): void {
    this.#tellsState = this.#settings?.atStart === true;
  }

  #wake(now: number): void {
    clearTimeout(this.#timer);
    const within = Math.round(longestSleep(this.#clock) * this.#clock.speed);
    const next = this.#basis && this.#cursor.next(this.#basis.edges, now, within);
    if (next !== undefined && !this.#closed)
      this.#timer = setTimeout(() => void this.#evaluateAll(), waitFor(this.#clock, next));
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
    if (this.#closed) return;
    this.#basis = this.#change = undefined;
    this.#cursor.skip(this.#clock.now());
    this.#interrupt();
    if (this.#gate) this.#status.follow(problem);
    else this.#status.failed(problem);
    if (this.#cursor.reported === problem.code) return;
    this.#cursor.reported = problem.code;
    void this.#report(problem);
  }

  async #report(problem: TenantError): Promise<void> {
    // The Catch node may not be there yet.
    if (!flows.running) await flows.untilRunning();
    const message = { _msgid: this.#RED.util.generateId(), topic: "" };
    const error = failure(this.#RED, { type: ACTION }, this.#tenant.mode, notBegun(problem));
    if (this.#closed) this.#cursor.reported = undefined;
    else swallowErrors(() => this.#node.error(error, message));
  }
}
