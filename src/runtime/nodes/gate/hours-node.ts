import type { Node, NodeAPI } from "node-red";
import type { Config } from "../../../fields";
import { shared } from "../../node-red/catalogue";
import { calendarAt } from "../../schedules/calendars";
import type { Now, Then } from "../../schedules/hours";
import { reporter, warnOfHostZone } from "../../schedules/notices";
import { chosenTenant } from "../../tenants/chosen-tenant";
import { TelephonyNode } from "../telephony-node";
import { type ByHand, Gate } from "./gate";
import { GateStatus } from "./status";

/** The part that a gate and a trigger have in common: the hours that they follow, and their status. */
export abstract class HoursNode extends TelephonyNode {
  declare protected readonly status: GateStatus;
  /** As soon as it is open. */
  protected gate: Gate | undefined;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    const hasOwnSchedule = config["source"] === "value";
    const tenant = chosenTenant(RED, config, hasOwnSchedule ? undefined : node);
    // One with its own schedule reads nothing of a sandbox.
    const status = new GateStatus(RED, node, (!hasOwnSchedule && tenant.mode) || "live");
    super(RED, node, tenant, undefined, status);
    // It may do without its tenant.
    this.problem = undefined;
  }

  protected override closed(): void {
    this.gate?.hours.close();
  }

  /** Finds out what follows from what holds now, without an effect. Must not reject. */
  protected abstract prepare(gate: Gate, now: Now): Promise<Then>;

  /** Opens the gate, and follows its hours. Rejects with TenantError ERR_CONFIG. */
  protected async openGate(config: Config, ...byHand: [byHand?: ByHand]): Promise<Gate> {
    const { RED, node, status } = this;
    const host = { ...this.host(), calendar: (address: URL) => calendarAt(RED, address) };
    const gate = await Gate.open(config, this.tenant, host, shared(RED, "language"), ...byHand);
    this.gate = gate;
    status.serverZone = gate.serverZone;
    status.isZoneUnknown = gate.serverZone !== undefined && warnOfHostZone(RED);
    status.isWatched = gate.options.isWatched;
    const report = reporter(RED, (text) => node.warn(text));
    // What was opened after the node has closed follows nothing.
    if (this.isClosed) gate.hours.close();
    else gate.hours.follow((now) => this.prepare(gate, now), report);
    return gate;
  }

  /** Shows what holds now. Returns until when. */
  protected show(current: Parameters<GateStatus["follow"]>[0]): number | undefined {
    this.status.copyOf = this.gate?.hours.copyOf;
    return this.status.follow(current);
  }
}
