import { listWaiting, type TenantClient, type WaitingCall } from "../../../client";
import { ValueError } from "../../../hours/value-error";
import { type Tenant, usable } from "../../tenants/chosen-tenant";

export const COMMANDS = ["pause", "resume", "drop", "count", "cancel", "list"] as const;

/** Without a command in the dialog, each message brings one. */
export const CONTROL_SETTINGS = { command: { kind: "option", choices: COMMANDS, default: "" } } as const;

export type Command = (typeof COMMANDS)[number];

/** An order to a tenant: a command, and what it needs. */
export interface Order {
  readonly command: Command;
  /** `cancel`: the deduplication key of the calls to be cancelled; without one, none is. */
  readonly key?: string | undefined;
  /** `drop`: only what is held back. */
  readonly only?: "held-back" | undefined;
  /** `list`: how many calls, after how many. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Reads a command. Throws ValueError. */
export function readCommand(value: unknown, source: string): Command {
  const command = COMMANDS.find((known) => known === value);
  if (command) return command;
  throw new ValueError("input.notChoice", "command", { value, choices: COMMANDS.join(", ") }, source);
}

/** The waiting and in-flight requests of a tenant. */
function count({ lanes }: TenantClient) {
  const { paused, heldUntil, reason, reasonSince, callingHours, waiting, dated, heldBack, restored, inFlight } = lanes;
  return {
    paused,
    /** Call-outs wait until the service answers again. */
    held: heldUntil !== undefined,
    /** The time at which the service is tried again, ISO 8601; `null` unless held. */
    heldUntil: heldUntil === undefined ? null : new Date(heldUntil).toISOString(),
    /** The code of the trouble that holds call-outs, and since when it does, ISO 8601; `null` if none does. */
    reason: reason ?? null,
    reasonSince: reasonSince === undefined ? null : new Date(reasonSince).toISOString(),
    /** Call-outs wait for calling hours, or until these can be read. */
    resting: callingHours?.isOpen === false,
    /** The time at which calling hours begin, ISO 8601; `null` unless the calls rest, or if that is not known. */
    restsUntil: callingHours?.opensAt ?? null,
    waiting,
    /** Of these, the call-outs whose date has not come. */
    dated,
    /** Of these, the call-outs that wait for `resume`, because their turn came before or during a longer stop. */
    heldBack,
    /** Of these, the call-outs that were waiting when Node-RED stopped; absent without any. */
    ...(restored > 0 && { restored }),
    underWay: inFlight,
  };
}

/** The requests of a tenant after a command, and what the command has found or done. */
export type Report = ReturnType<typeof count> & {
  /** Messages that this command dropped. */
  readonly dropped: number;
  /** `cancel`: the calls that it has cancelled, and those that were in flight already. */
  readonly cancelled?: number;
  readonly tooLate?: number;
  /** `list`: in the order in which they will leave. */
  readonly calls?: readonly WaitingCall[];
};

/** Calls that `list` gives if nothing else is asked, and at most. */
export const LISTED = { usually: 100, most: 10_000 } as const;

/** Carries out a command. Rejects with TenantError (ERR_CONFIG) if the tenant cannot be used. */
export async function carryOut(tenant: Tenant, order: Order): Promise<Report> {
  const { client } = usable(tenant);
  const done = await perform(client, order);
  // What an earlier process left counts only once it has been read.
  await client.opened;
  return { ...count(client), dropped: 0, ...done };
}

async function perform(client: TenantClient, { command, key, only, limit, offset }: Order): Promise<Partial<Report>> {
  switch (command) {
    case "pause":
    case "resume":
      client.hold(command === "pause");
      return {};
    case "drop":
      return { dropped: (await client.end(only ? { only } : {})).cancelled };
    case "cancel":
      return key === undefined ? { cancelled: 0, tooLate: 0 } : client.end({ key });
    case "list":
      return { calls: await listWaiting(client, { limit: limit ?? LISTED.usually, offset: offset ?? 0 }) };
    case "count":
      return {};
  }
}
