import { FieldError, quote } from "../../fields";
import type { TenantClient } from "../../tenant";
import { type Tenant, usable } from "../tenants/chosen-tenant";

export const COMMANDS = ["pause", "resume", "drop", "count"] as const;

/** Without a command in the dialog, each message brings one. */
export const CONTROL_SETTINGS = { command: { kind: "option", choices: COMMANDS, default: "" } } as const;

export type Command = (typeof COMMANDS)[number];

/** Reads a command. Throws FieldError. */
export function readCommand(value: unknown, source: string): Command {
  const command = COMMANDS.find((known) => known === value);
  if (command) return command;
  throw new FieldError("notChoice", "command", { value: quote(value), choices: COMMANDS.join(", ") }, source);
}

/** The waiting and in-flight requests of a tenant. */
export interface Counts {
  readonly paused: boolean;
  readonly waiting: { readonly callOut: number; readonly other: number };
  readonly underWay: number;
  /** Messages that this command dropped. */
  readonly dropped: number;
}

type Listener = (counts: Counts) => void;

/** Nodes that show a tenant's counts. Kept for as long as the client is. */
const listeners = new WeakMap<TenantClient, Set<Listener>>();

/** Calls back after each command for the tenant, from any node or dialog. Returns a function that ends this. */
export function followCommands(client: TenantClient, listener: Listener): () => void {
  const all = listeners.get(client) ?? new Set();
  listeners.set(client, all);
  all.add(listener);
  return () => all.delete(listener);
}

export function count({ lanes }: TenantClient): Counts {
  return { paused: lanes.paused, waiting: lanes.waiting, underWay: lanes.inFlight, dropped: 0 };
}

/** Carries out a command. Throws TenantError (ERR_CONFIG) if the tenant cannot be used. */
export function carryOut(tenant: Tenant, command: Command): Counts {
  const { client } = usable(tenant);
  const { lanes } = client;
  let dropped = 0;
  if (command === "pause") lanes.pause();
  else if (command === "resume") lanes.resume();
  else if (command === "drop") dropped = client.drop();
  const counts = { ...count(client), dropped };
  for (const listener of listeners.get(client) ?? []) listener(counts);
  return counts;
}
