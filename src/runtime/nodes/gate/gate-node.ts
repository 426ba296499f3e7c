import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../../fields";
import { failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { Pending } from "../../delivery/pending";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { asTenantError } from "../../node-red/texts";
import { CalendarFollower } from "../../schedules/calendars/calendar-follower";
import { clockOf } from "../../schedules/clock";
import { chosenTenant, type Tenant } from "../../tenants/chosen-tenant";
import { writable } from "../action/target";
import { type BusinessHour, type CurrentVerdict, type Decision, Gate } from "./gate";
import { HandClosing } from "./hand-closing";
import { HolidayNotices } from "./holiday-notices";
import type { GateInputs, GateRequest } from "./inputs";
import { GateStatus } from "./status";

type Send = (messages: [NodeMessage | null, NodeMessage | null]) => void;
type Done = (error?: Error) => void;

const ACTION = "business-hour-gate";

export function gateNode(...args: ConstructorParameters<typeof GateNode>): void {
  new GateNode(...args);
}

/** Routes messages by a schedule. Sets `msg.businessHour` only; the first output is the one for open. */
class GateNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #tenant: Tenant;
  readonly #status: GateStatus;
  readonly #gate: Promise<Gate>;
  /** The gate, as soon as it is open. */
  #opened: Gate | undefined;
  readonly #waiting = new Set<Pending>();
  /** The inputs of the last message. The status follows them where inputs come with messages. */
  #lastInputs: GateInputs | undefined;
  #unfollowSchedule: (() => void) | undefined;
  readonly #unfollowClock: () => void;
  readonly #calendars: CalendarFollower;
  readonly #notices: HolidayNotices;
  readonly #closing: HandClosing;
  #closed = false;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.#RED = RED;
    this.#node = node;
    this.#tenant = chosenTenant(RED, config);
    // A gate with its own schedule reads nothing of a sandbox.
    const mode = (config["source"] !== "value" && this.#tenant.mode) || "live";
    const clock = clockOf(config, this.#tenant);
    this.#status = new GateStatus(RED, node, mode, () => void this.#renewStatus(), clock);
    this.#unfollowClock = clock.follow(() => {
      if (this.#status.follows) void this.#renewStatus();
    });
    this.#calendars = new CalendarFollower(RED, () => void this.#renewStatus());
    this.#notices = new HolidayNotices(RED, node);
    const host = this.#calendars.host(hostOf(RED, node));
    this.#closing = HandClosing.follow(RED, node.id, () => void this.#renewStatus());
    this.#gate = Gate.open(config, this.#tenant, host, shared(RED, "language"), this.#closing);
    this.#gate.then((gate) => this.#begin(gate)).catch((error: unknown) => this.#status.failed(asTenantError(error)));
    Mailbox.of(RED, node.id).attach(node);
    node.on("input", (message, send, done) => this.#input(message, send as unknown as Send, done));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
  }

  #begin(gate: Gate): void {
    if (this.#closed) return;
    const { inputs, settings } = gate;
    this.#opened = gate;
    this.#status.serverZone = gate.serverZone;
    this.#status.isWatched = inputs.isWatched;
    if (inputs.fixedKey) {
      const changed = () => void this.#renewStatus();
      this.#unfollowSchedule = this.#tenant.schedules?.follow(inputs.fixedKey, this, settings.refreshMs, changed);
    }
    void this.#renewStatus();
  }

  #close(removed: boolean): void {
    this.#closed = true;
    this.#status.close(removed);
    this.#unfollowSchedule?.();
    this.#unfollowClock();
    this.#calendars.close();
    if (removed || flows.stopping) this.#closing.forget();
    // The successor decides for messages that still wait for a schedule; without one, they are logged.
    const mailbox = Mailbox.of(this.#RED, this.#node.id);
    for (const pending of this.#waiting) mailbox.leave(pending);
    this.#waiting.clear();
    mailbox.detach(this.#node, removed);
  }

  /** Never throws: that would end the process. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    try {
      const decision = this.#opened?.decideAtOnce();
      if (decision) this.#pass(message, decision, send, done);
      else void this.#await(message, send, done);
    } catch (error) {
      this.#fail(message, error, done);
    }
  }

  /** Never rejects: that would end the process. */
  async #await(message: NodeMessage, send: Send, done: Done): Promise<void> {
    const pending = new Pending(message, ACTION, this.#tenant.mode, this.#node, () => {});
    this.#waiting.add(pending);
    try {
      // Once the gate is open, the values are read before the first await: the flow may change the message later.
      const gate = this.#opened ?? (await this.#gate);
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
    this.#notices.look(request, this.#opened?.clock);
    const last = this.#lastInputs;
    const isSame =
      last?.schedule === request.schedule &&
      last?.exceptions === request.exceptions &&
      last?.zone === request.zone &&
      JSON.stringify(last?.key) === JSON.stringify(request.key);
    if (!isSame) this.#status.unfollow();
    this.#lastInputs = request;
  }

  #pass(message: NodeMessage, decision: Decision, send: Send, done: Done): void {
    const { businessHour } = decision;
    this.#showDecision(decision);
    deliver(this.#RED, ACTION, message, "not-applied", () => {
      const out = writable(message, ["businessHour"]) as NodeMessage & { businessHour?: BusinessHour };
      out.businessHour = businessHour;
      send(businessHour.open ? [out, null] : [null, out]);
      done();
    });
  }

  #fail(message: NodeMessage, error: unknown, done: Done): void {
    const problem = asTenantError(error);
    this.#status.failed(problem);
    const fail = () => done(failure(this.#RED, { type: ACTION }, this.#tenant.mode, notBegun(problem)));
    deliver(this.#RED, ACTION, message, "not-applied", fail);
  }

  #showDecision(decision: Decision): void {
    if (decision.problem) this.#status.failed(decision.problem);
    else if (!this.#status.follows) void this.#showUnfollowed(decision);
    else if (this.#status.isWatched && overrideOf(decision) !== this.#status.override) void this.#renewStatus();
  }

  async #showUnfollowed(decision: Decision): Promise<void> {
    if (await this.#renewStatus()) return;
    const override = overrideOf(decision);
    const { businessHour, schedule, zone } = decision;
    if (override) this.#status.overridden(override);
    else this.#status.decided(businessHour, { ...businessHour, schedule, zone });
  }

  /** Shows what holds now. Resolves with whether anything is known without a message. Never rejects. */
  async #renewStatus(): Promise<boolean> {
    return this.#status.follow(await this.#current().catch(asTenantError));
  }

  async #current(): Promise<CurrentVerdict> {
    const gate = await this.#gate;
    const inputs = gate.inputs.origin === "message" ? this.#lastInputs : await gate.inputs.readInputs();
    if (inputs) this.#notices.look(inputs, gate.clock);
    this.#status.copyOf = this.#calendars.copyOf;
    return gate.current(inputs);
  }
}

function overrideOf({ businessHour: { reason, open } }: Decision): "open" | "closed" | undefined {
  if (reason !== "override") return undefined;
  return open ? "open" : "closed";
}
