import type { Node, NodeAPI } from "node-red";
import type { TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { swallowErrors } from "../../node-red/swallow-errors";
import { type Evaluate, FollowedHours } from "../../schedules/followed-hours";
import { warnOfHostZone } from "../../schedules/notices";
import { chosenTenant, type Tenant } from "../../tenants/chosen-tenant";
import { type ByHand, Gate, type ShownDecision } from "./gate";
import type { GateInputs } from "./inputs";
import { GateStatus } from "./status";

/** What a gate and a trigger have in common: what they follow, their status, and what they report of their holidays. */
export class RunningGate {
  readonly tenant: Tenant;
  readonly status: GateStatus;
  readonly hours: FollowedHours;
  /** As soon as it is open. */
  gate: Gate | undefined;
  /** Whether it was reported that the exceptions are missing. */
  #isMissing = false;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    config: Config,
    evaluate: Evaluate,
  ) {
    const hasOwnSchedule = config["source"] === "value";
    this.tenant = chosenTenant(RED, config, hasOwnSchedule ? undefined : node);
    // One with its own schedule reads nothing of a sandbox.
    const mode = (!hasOwnSchedule && this.tenant.mode) || "live";
    this.status = new GateStatus(RED, node, mode);
    this.hours = new FollowedHours(RED, evaluate, (text) => node.warn(text));
  }

  /** Opens the gate, and follows its schedule. Rejects with TenantError ERR_CONFIG. */
  async open(config: Config, ...byHand: [byHand?: ByHand]): Promise<Gate> {
    const host = this.hours.calendars.host(hostOf(this.RED, this.node));
    const gate = await Gate.open(config, this.tenant, host, shared(this.RED, "language"), ...byHand);
    // What was opened after the node has closed follows nothing.
    if (this.hours.isClosed) {
      this.hours.calendars.close();
      return gate;
    }
    this.gate = gate;
    const { inputs, settings } = gate;
    this.status.serverZone = gate.serverZone;
    this.status.isZoneUnknown = gate.serverZone !== undefined && warnOfHostZone(this.RED);
    this.status.isWatched = inputs.isWatched;
    if (inputs.fixedKey && this.tenant.schedules)
      this.hours.follow(this.tenant.schedules, inputs.fixedKey, settings.refreshMs);
    return gate;
  }

  /** Shows what holds now. Returns until when, as for {@link Evaluate}. */
  show(current: ShownDecision | TenantError | undefined): number | undefined {
    this.status.copyOf = this.hours.calendars.copyOf;
    return this.status.follow(current);
  }

  /** Reports what is to be known of holidays that are used from now on: each thing once. Never throws. */
  report({ missing, exceptions, zone }: GateInputs): void {
    if (missing !== undefined && !this.#isMissing)
      swallowErrors(() => this.node.warn(shared(this.RED, "log.noHolidays", { source: missing })));
    this.#isMissing = missing !== undefined;
    this.hours.report(exceptions, zone);
  }

  /** What is shown no longer follows what holds now. */
  unfollow(): void {
    this.hours.sleep(undefined);
    this.status.isFollowing = false;
  }
}
