import { ValueError } from "../../../hours/value-error";
import type { TenantClient } from "../../../tenant";
import { type Tenant, usable } from "../../tenants/chosen-tenant";

export const COMMANDS = ["pause", "resume", "drop", "count"] as const;

/** Without a command in the dialog, each message brings one. */
export const CONTROL_SETTINGS = { command: { kind: "option", choices: COMMANDS, default: "" } } as const;

export type Command = (typeof COMMANDS)[number];

/** Reads a command. Throws ValueError. */
export function readCommand(value: unknown, source: string): Command {
  const command = COMMANDS.find((known) => known === value);
  if (command) return command;
  throw new ValueError("input.notChoice", "command", { value, choices: COMMANDS.join(", ") }, source);
}

/** The waiting and in-flight requests of a tenant. */
export interface Counts {
  readonly paused: boolean;
  /** Call-outs wait until the service answers again. */
  readonly held: boolean;
  /** When the service is tried again, ISO 8601; `null` unless held. */
  readonly heldUntil: string | null;
  /** Call-outs wait for calling hours, or until these can be read. */
  readonly resting: boolean;
  /** When calling hours begin, ISO 8601; `null` unless the calls rest, or if that is not known. */
  readonly restsUntil: string | null;
  readonly waiting: { readonly callOut: number; readonly other: number };
  /** Of these, the call-outs that were waiting when Node-RED stopped; absent without any. */
  readonly restored?: number;
  readonly underWay: number;
  /** Messages that this command dropped. */
  readonly dropped: number;
}

export function count({ lanes }: TenantClient): Counts {
  const { paused, heldUntil: until, callingHours, waiting, restored, inFlight: underWay } = lanes;
  const heldUntil = until === undefined ? null : new Date(until).toISOString();
  return {
    paused,
    held: heldUntil !== null,
    heldUntil,
    resting: callingHours?.isOpen === false,
    restsUntil: callingHours?.opensAt ?? null,
    waiting,
    ...(restored > 0 && { restored }),
    underWay,
    dropped: 0,
  };
}

/** Carries out a command. Rejects with TenantError (ERR_CONFIG) if the tenant cannot be used. */
export async function carryOut(tenant: Tenant, command: Command): Promise<Counts> {
  const { client } = usable(tenant);
  let dropped = 0;
  if (command === "pause") client.pause();
  else if (command === "resume") client.resume();
  else if (command === "drop") dropped = await client.drop();
  // What an earlier process left counts only once it has been read.
  await client.opened;
  return { ...count(client), dropped };
}
