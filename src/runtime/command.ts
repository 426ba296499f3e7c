import { notSent, type TenantClient } from "../tenant";
import type { Tenant } from "./tenants";

export const COMMANDS = ["pause", "resume", "drop", "count"] as const;
export type Command = (typeof COMMANDS)[number];

/** What waits and what is under way at a tenant. */
export interface Counts {
  readonly paused: boolean;
  readonly waiting: { readonly callOut: number; readonly other: number };
  readonly underWay: number;
  /** Messages that this command dropped. */
  readonly dropped: number;
}

/** Carries out a command. Throws TenantError when the tenant cannot be used. */
export function carryOut(tenant: Tenant | undefined, command: Command): Counts {
  const client = clientOf(tenant);
  const { lanes } = client;
  let dropped = 0;
  if (command === "pause") lanes.pause();
  else if (command === "resume") lanes.resume();
  else if (command === "drop") dropped = client.drop();
  return { paused: lanes.paused, waiting: lanes.waiting, underWay: lanes.underWay, dropped };
}

/** The client of a tenant. Throws TenantError when the tenant cannot be used. */
export function clientOf(tenant: Tenant | undefined): TenantClient {
  if (!tenant) throw notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
  if (!tenant.client) throw tenant.problem ?? notSent("ERR_CONFIG", "config");
  return tenant.client;
}
