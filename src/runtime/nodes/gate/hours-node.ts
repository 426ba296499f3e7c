import type { Node, NodeAPI } from "node-red";
import type { Config } from "../../../fields";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { calendarAt } from "../../schedules/calendars";
import type { Now, Then } from "../../schedules/hours";
import { reporter, warnOfHostZone } from "../../schedules/notices";
import { chosenTenant, type Tenant } from "../../tenants/chosen-tenant";
import { type ByHand, Gate } from "./gate";
import { GateStatus } from "./status";

/** What a gate and a trigger have in common: the hours that they follow, and their status. */
export abstract class HoursNode {
  protected readonly tenant: Tenant;
  protected readonly status: GateStatus;
  /** As soon as it is open. */
  protected gate: Gate | undefined;
  protected isClosed = false;

  constructor(
    protected readonly RED: NodeAPI,
    protected readonly node: Node,
    config: Config,
  ) {
    const hasOwnSchedule = config["source"] === "value";
    this.tenant = chosenTenant(RED, config, hasOwnSchedule ? undefined : node);
    // One with its own schedule reads nothing of a sandbox.
    this.status = new GateStatus(RED, node, (!hasOwnSchedule && this.tenant.mode) || "live");
    node.on("close", () => {
      this.isClosed = true;
      this.gate?.hours.close();
      this.closed();
    });
  }

  /** Finds out what follows from what holds now, without an effect. Must not reject. */
  protected abstract prepare(gate: Gate, now: Now): Promise<Then>;

  protected abstract closed(): void;

  /** Opens the gate, and follows its hours. Rejects with TenantError ERR_CONFIG. */
  protected async open(config: Config, ...byHand: [byHand?: ByHand]): Promise<Gate> {
    const { RED, node, status } = this;
    const host = { ...hostOf(RED, node), calendar: (address: URL) => calendarAt(RED, address) };
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
