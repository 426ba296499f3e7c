import type { Until } from "../../../backlog";
import { holdsOf, listWaiting, type TenantClient, type WaitingCall } from "../../../client";
import type { OptOut } from "../../../client/guard/opt-outs";
import { ValueError } from "../../../hours/value-error";
import { type Tenant, type UsableTenant, usable } from "../../tenants/chosen-tenant";
import { formerClients } from "../../tenants/tenants";
import { Lists } from "../list/lists";
import { progressOf } from "../list/summary";
import { readSettlement, type Settlement, settle, unknownCalls } from "./unknown-calls";

export const COMMANDS = [
  "pause",
  "resume",
  "drop",
  "count",
  "cancel",
  "list",
  "block",
  "unblock",
  "blocked",
  "unknown",
  "settle",
] as const;

/** Without a command in the dialog, each message brings one. */
export const CONTROL_SETTINGS = { command: { kind: "option", choices: COMMANDS, default: "" } } as const;

export type Command = (typeof COMMANDS)[number];

/** An order to a tenant: a command, and what it needs. */
export interface Order extends Partial<Settlement> {
  readonly command: Command;
  /** `cancel`: the deduplication key of the calls to be cancelled; without one, none is. */
  readonly key?: string | undefined;
  /** `drop`: only what is held back. */
  readonly only?: "held-back" | undefined;
  /** `list`, `blocked` and `unknown`: how many, after how many. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** `block` and `unblock`: unchecked. */
  readonly number?: unknown;
  /** `block`: the end, epoch milliseconds, and why. */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** Reads a command. Throws ValueError. */
export function readCommand(value: unknown, source: string): Command {
  const command = COMMANDS.find((known) => known === value);
  if (command) return command;
  throw new ValueError("input.notChoice", "command", { value, choices: COMMANDS.join(", ") }, source);
}

/** The waiting and in-flight requests of a tenant. */
function count(tenant: UsableTenant) {
  const { lanes } = tenant.client;
  const { reason, reasonSince, waiting, dated, heldBack, restored, inFlight, unknown } = lanes;
  const holds = holdsOf(lanes);
  return {
    paused: holds.has("pause"),
    /** Call-outs wait until the service answers again. */
    held: holds.get("trouble") !== undefined,
    /** The time at which the service is tried again, ISO 8601; `null` unless held. */
    heldUntil: iso(holds.get("trouble")),
    /** The code of the trouble that holds call-outs, and since when it does, ISO 8601; `null` if none does. */
    reason: reason ?? null,
    reasonSince: reasonSince === undefined ? null : new Date(reasonSince).toISOString(),
    /** Call-outs wait for calling hours, or until these can be read. */
    resting: holds.has("hours"),
    /** The time at which calling hours begin, ISO 8601; `null` unless the calls rest, or if that is not known. */
    restsUntil: iso(holds.get("hours")),
    waiting,
    /** Of these, the call-outs whose date has not come. */
    dated,
    /** Of these, the call-outs that wait for `resume`, because their turn came before or during a longer stop. */
    heldBack,
    /** Of these, the call-outs that were waiting when Node-RED stopped; absent without any. */
    ...(restored > 0 && { restored }),
    underWay: inFlight,
    /** Call-outs that ended `unknown`, and about which nobody has decided. */
    unknown: formerClients(tenant).reduce((sum, former) => sum + former.lanes.unknown, unknown),
    /** The lists that are called, and those that wait for their end. */
    lists: Lists.ofClient(tenant.client)
      .filter(({ stoppedBy }) => stoppedBy === null)
      .map((list) => progressOf(list, tenant)),
  };
}

function iso(until: Until): string | null {
  return typeof until === "number" ? new Date(until).toISOString() : (until ?? null);
}

/** The requests of a tenant after a command, and what the command has found or done. */
export type Report = Omit<ReturnType<typeof count>, "unknown"> & {
  /** Of `unknown` the calls themselves. */
  readonly unknown: number | Awaited<ReturnType<typeof unknownCalls>>;
  /** `settle`: 1 if it has decided. */
  readonly settled?: number;
  readonly dropped: number;
  /** `cancel`: the calls that it has cancelled, and those that were in flight already; `settle`: 1 if somebody had decided before. */
  readonly cancelled?: number;
  readonly tooLate?: number;
  /** `list`: in the order in which they will leave. */
  readonly calls?: readonly WaitingCall[];
  /** `block` and `unblock`: how many numbers it has changed. */
  readonly changed?: number;
  /** `blocked`: the oldest first. Instants are ISO 8601. */
  readonly blocked?: readonly (Pick<OptOut, "number" | "reason"> & {
    readonly until: string | null;
    readonly at: string;
  })[];
};

/** Calls that `list` gives if nothing else is asked, and at most. */
export const LISTED = { usually: 100, most: 10_000 } as const;

/** Carries out a command. Rejects with TenantError (ERR_CONFIG) if the tenant cannot be used. */
export async function carryOut(tenant: Tenant, order: Order): Promise<Report> {
  const used = usable(tenant);
  const { client } = used;
  const done = await perform(used, order);
  // What an earlier process left counts only once it has been read.
  await client.opened;
  return { ...count(used), dropped: 0, ...done };
}

/** Drops what waits, and the rest of the lists. Resolves to how many calls. */
async function drop(client: TenantClient, only: Order["only"]): Promise<number> {
  const lists = Lists.ofClient(client).filter(({ isHeldBack }) => !only || isHeldBack);
  const rows = await Promise.all(lists.map((list) => list.endRest("drop")));
  const { cancelled } = await client.end(only ? { only } : {});
  return rows.reduce((sum, count) => sum + count, cancelled);
}

async function perform(
  tenant: UsableTenant,
  { command, key, only, limit = LISTED.usually, offset = 0, number, until, reason, ...order }: Order,
): Promise<Partial<Report>> {
  const { client, optOuts } = tenant;
  switch (command) {
    case "pause":
    case "resume":
      client.hold(command === "pause");
      return {};
    case "drop":
      return { dropped: await drop(client, only) };
    case "cancel":
      return key === undefined ? { cancelled: 0, tooLate: 0 } : client.end({ key });
    case "list":
      return { calls: await listWaiting(client, { limit, offset }) };
    case "block":
      return { changed: Number(await optOuts.block(number, { until: until ?? null, reason: reason ?? null })) };
    case "unblock":
      return { changed: Number(await optOuts.unblock(number)) };
    case "blocked":
      return { blocked: (await optOuts.list()).slice(offset, offset + limit).map(shown) };
    case "unknown":
      return { unknown: await unknownCalls(tenant, limit, offset) };
    case "settle":
      return settle(tenant, readSettlement(order));
    case "count":
      return {};
  }
}

function shown({ number, until, reason, at }: OptOut) {
  const iso = (instant: number) => new Date(instant).toISOString();
  return { number, until: until === null ? null : iso(until), reason, at: iso(at) };
}
