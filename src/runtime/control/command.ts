import type { TenantClient } from "../../tenant";
import { type Tenant, usable } from "../tenants/chosen-tenant";

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

type Hear = (counts: Counts) => void;

/** Who shows how a tenant stands. A client that a deploy replaces takes its followers with it. */
const followers = new WeakMap<TenantClient, Set<Hear>>();

/** Hears of each command from now on, whoever gives it: a message, another node or a button. Returns how to end that. */
export function followCommands(client: TenantClient, hear: Hear): () => void {
  const hearing = followers.get(client) ?? new Set();
  followers.set(client, hearing);
  hearing.add(hear);
  return () => hearing.delete(hear);
}

/** How a tenant stands. */
export function count({ lanes }: TenantClient): Counts {
  return { paused: lanes.paused, waiting: lanes.waiting, underWay: lanes.underWay, dropped: 0 };
}

/** Carries out a command. Throws TenantError when the tenant cannot be used. */
export function carryOut(tenant: Tenant, command: Command): Counts {
  const { client } = usable(tenant);
  const { lanes } = client;
  let dropped = 0;
  if (command === "pause") lanes.pause();
  else if (command === "resume") lanes.resume();
  else if (command === "drop") dropped = client.drop();
  const counts = { ...count(client), dropped };
  for (const hear of followers.get(client) ?? []) hear(counts);
  return counts;
}
