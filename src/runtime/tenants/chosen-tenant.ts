import type { Node, NodeAPI } from "node-red";
import type { Backlog } from "../../backlog";
import { type Mode, notSent, type TenantClient, type TenantError } from "../../client";
import type { SharedOptOuts } from "../../client/guard/opt-outs";
import type { Config } from "../../fields";
import type { Statistics } from "../metrics/statistics";
import { swallowErrors } from "../node-red/swallow-errors";
import { sentence } from "../node-red/texts";
import type { CallingHoursMonitor } from "../schedules/calling-hours-monitor";
import type { ScheduleCache } from "../schedules/schedule-cache";
import type { Target } from "./target";

/** The target of a tenant's requests, with its backlog and its deduplication keys. */
export interface TenantTarget extends Pick<Engine, "shared"> {
  readonly client: TenantClient;
  /** The schedules that gates have read from the tenant. */
  readonly schedules: ScheduleCache;
  readonly statistics: Statistics;
  hours: CallingHoursMonitor | undefined;
}

export interface UsableTenant
  extends Readonly<TenantTarget>,
    Readonly<Pick<Target, "id" | "name" | "settings" | "key" | "fingerprint" | "guard" | "optOuts">> {
  readonly mode: Mode;
  readonly problem: undefined;
}

/** The tenant whose call-outs a backlog keeps. */
export type Owner = Pick<UsableTenant, "id" | "name" | "settings">;

/** The backlog of a tenant, and what its group shares besides. */
export interface Engine {
  readonly backlog: Backlog | Promise<Backlog>;
  /** The numbers that its group must not call; absent without a group. */
  readonly shared?: Promise<SharedOptOuts | undefined> | undefined;
}

/** A tenant that is missing or badly configured. */
interface UnusableTenant {
  readonly id: string;
  readonly mode: null;
  /** ERR_CONFIG */
  readonly problem: TenantError;
  readonly settings?: undefined;
  readonly client?: undefined;
  readonly schedules?: undefined;
  readonly fingerprint?: undefined;
  readonly guard?: undefined;
  readonly optOuts?: undefined;
}

export type Tenant = UsableTenant | UnusableTenant;

/**
 * The tenant that a node has chosen. Use `usable` where a request needs it.
 * @param node warns if there is none; omitted where the node can do without
 */
export function chosenTenant(RED: NodeAPI, { tenant }: Config, node?: Node): Tenant {
  const id = String(tenant ?? "");
  const chosen = (RED.nodes.getNode(id) as { readonly tenant?: Tenant } | null)?.tenant;
  if (chosen) return chosen;
  const problem = notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
  if (node) swallowErrors(() => node.warn(sentence(RED, problem)));
  return unusable(id, problem);
}

export function unusable(id: string, problem: TenantError): UnusableTenant {
  return { id, mode: null, problem };
}

/**
 * The tenant, for a node that cannot do without it.
 * @throws TenantError ERR_CONFIG
 */
export function usable(tenant: Tenant): UsableTenant {
  if (tenant.problem) throw tenant.problem;
  return tenant;
}
