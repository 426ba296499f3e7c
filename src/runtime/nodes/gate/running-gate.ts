import type { Node, NodeAPI } from "node-red";
import type { TenantError } from "../../../client";
import type { Config } from "../../../fields";
import type { Exceptions } from "../../../hours";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { swallowErrors } from "../../node-red/swallow-errors";
import { CalendarFollower } from "../../schedules/calendars/calendar-follower";
import { reportExceptions, warnOfHostZone } from "../../schedules/notices";
import { chosenTenant, type Tenant } from "../../tenants/chosen-tenant";
import { Gate, type ShownDecision } from "./gate";
import type { GateInputs } from "./inputs";
import { GateStatus } from "./status";

/** What a gate and a trigger have in common: what they follow, their status, and what they report of their holidays. */
export class RunningGate {
  readonly tenant: Tenant;
  readonly status: GateStatus;
  /** As soon as it is open. */
  gate: Gate | undefined;
  isClosed = false;
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #changed: () => void;
  readonly #calendars: CalendarFollower;
  #unfollowSchedule: (() => void) | undefined;
  /** What was reported. */
  #isMissing = false;
  #exceptions: Exceptions | undefined;

  /** @param changed called when decisions may have changed */
  constructor(RED: NodeAPI, node: Node, config: Config, changed: () => void) {
    this.#RED = RED;
    this.#node = node;
    this.#changed = changed;
    const hasOwnSchedule = config["source"] === "value";
    this.tenant = chosenTenant(RED, config, hasOwnSchedule ? undefined : node);
    // One with its own schedule reads nothing of a sandbox.
    const mode = (!hasOwnSchedule && this.tenant.mode) || "live";
    this.status = new GateStatus(RED, node, mode, changed);
    this.#calendars = new CalendarFollower(RED, changed);
  }

  /** Opens the gate, and follows its schedule. Rejects with TenantError ERR_CONFIG. */
  async open(config: Config, ...closing: [closing?: { readonly until: number | undefined }]): Promise<Gate> {
    const host = this.#calendars.host(hostOf(this.#RED, this.#node));
    const gate = await Gate.open(config, this.tenant, host, shared(this.#RED, "language"), ...closing);
    if (this.isClosed) return gate;
    this.gate = gate;
    const { inputs, settings } = gate;
    this.status.serverZone = gate.serverZone;
    this.status.isZoneUnknown = gate.serverZone !== undefined && warnOfHostZone(this.#RED);
    this.status.isWatched = inputs.isWatched;
    if (inputs.fixedKey)
      this.#unfollowSchedule = this.tenant.schedules?.follow(inputs.fixedKey, this, settings.refreshMs, this.#changed);
    return gate;
  }

  /** Shows what holds now. Returns whether there is something to follow. */
  show(current: ShownDecision | TenantError | undefined): boolean {
    this.status.copyOf = this.#calendars.copyOf;
    return this.status.follow(current);
  }

  /** Reports what is to be known of holidays that are used from now on: each thing once. Never throws. */
  report({ missing, exceptions, zone }: GateInputs): void {
    if (missing !== undefined && !this.#isMissing)
      swallowErrors(() => this.#node.warn(shared(this.#RED, "log.noHolidays", { source: missing })));
    this.#isMissing = missing !== undefined;
    if (exceptions === this.#exceptions) return;
    this.#exceptions = exceptions;
    reportExceptions(this.#RED, exceptions, zone, (text) => this.#node.warn(text));
  }

  close(removed: boolean): void {
    this.isClosed = true;
    this.status.close(removed);
    this.#unfollowSchedule?.();
    this.#calendars.close();
  }
}
