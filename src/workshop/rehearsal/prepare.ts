import { pairOf } from "../../fields";
import { fillVariables, variableOf } from "../../fields/variable";
import { formatInstant, hostZone, isSameZone, isZone, loadZone, readInstant, type Zone } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { isSecret, senderOf, withSecret } from "../../runtime/node-red/webhook-secret";
import { comparable } from "../../runtime/nodes/webhook/settings";
import type { FlowNode } from "../lint/flow-node";
import { NodeNames } from "./node-names";
import type { RehearsalOptions } from "./options";
import { namedIn, READ_BY_NODE, standIn, variablesIn } from "./variables";
import { CannotRehearse, type World, type WorldFault, type WorldInput } from "./world";

const DEFAULT_DAYS = 7;
const TENANT = "telephony-tenant";
/** Names of variables whose values no report has. */
const SECRET = /token|secret|passw|auth|credential|_key$|^key$|api_?key/i;

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The plan of what the process of a rehearsal is to do, as a file. */
export type Plan = Prepared["plan"] & {
  /** The folder of the package `node-red`. */
  readonly nodeRed: string;
  readonly settings: Readonly<Record<string, unknown>>;
};

export interface PlannedInput {
  /** Epoch milliseconds, as all instants of a plan. */
  readonly at: number;
  readonly kind: "post" | "get" | "inject" | "node";
  /** A path as the world has it, or a node's id. */
  readonly target: string;
  /** The path, with values in place of `${NAME}`. */
  readonly path: string;
  readonly method: string;
  /** Their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a request, a text; or the message. */
  readonly body: unknown;
}

/**
 * Resolves all names and instants.
 * @throws CannotRehearse
 */
export async function prepare(options: RehearsalOptions) {
  const { flows, world = {}, seed = 1, watch = [], running } = options;
  const names = new NodeNames(flows);
  const tenants = flows.filter(({ type }) => type === TENANT);
  const given = Object.entries({ ...running?.env, ...world.env });
  const env = Object.fromEntries(given.filter(([name]) => !READ_BY_NODE.test(name)));
  const named = namedIn(running && flows);
  const hidden = new Set(running?.credentials);
  const values = new Map(given);
  for (const { name, type, value } of variablesIn(flows))
    if (type === "cred") hidden.add(String(name));
    else if (typeof value === "string" && named.has(String(name))) values.set(String(name), value);
  for (const [name, value] of Object.entries(world.env ?? {})) values.set(name, value);
  for (const name of hidden) {
    const value = values.get(name) ?? standIn(name, seed);
    values.set(name, value);
    if (named.has(name)) env[name] ??= value;
  }
  const read = (name: string) => values.get(name);
  const { credentials, authorized } = webhooksOf(flows, names, values, hidden, seed);
  const zones = new Map<string, Zone>();
  for (const tenant of tenants) zones.set(tenant.id, await loadZone(zoneName(tenant, env)));
  const [first] = zones.values();
  const zone = first ?? (await loadZone(zoneName({}, env)));
  env["TZ"] ??= zone.name;
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const from = options.from === undefined ? now : instantOf(options.from, now, zone);
  const until = endOf(options.until, from, zone);
  if (until <= from) throw new CannotRehearse("The rehearsal must end after it begins: choose a later end.");
  const watched = new Map(watch.map((given) => [given, names.idOf(given)]));
  const at = (text: string) => instantOf(text, from, zone);
  return {
    flows: flows.map((node) => withStandIns(asSandbox(node), read)),
    /** Variables of the running Node-RED that are left out. */
    leftOut: given.map(([name]) => name).filter((name) => READ_BY_NODE.test(name)),
    names,
    /** Of the first tenant. */
    zone,
    /** Of each tenant, by id. */
    zones,
    /** The id of each watched node, by what was given for it. */
    watched,
    /** Stand-ins for the secrets of webhooks, by node id. */
    credentials,
    plan: {
      env,
      /** The values that a report has as `${NAME}`. */
      secrets: [...values].filter(([name, value]) => value.length > 2 && (hidden.has(name) || SECRET.test(name))),
      from,
      until,
      seed,
      answers: byId(world.answers ?? {}, names),
      inputs: (world.inputs ?? []).map((input, index) => {
        const instant = at(input.at);
        if (instant >= from && instant < until)
          return authorized(planned(input, instant, names, read), `input-${index + 1}`);
        const time = `${formatInstant(from, zone)} to ${formatInstant(until, zone)}`;
        throw new CannotRehearse(`The input at ${input.at} is not in the time that is rehearsed, ${time}: correct it.`);
      }),
      faults: (world.faults ?? []).map((fault) => plannedFault(fault, at, until)),
      phones: world.phones ?? {},
      mix: world.mix ?? {},
      schedules: schedulesOf(world, tenants),
      flow: contextsOf(world, names),
      watch: [...new Set(watched.values())],
      /** Nodes that no wire leads to: what comes in at such a node is what it sends. */
      sources: sourcesIn(flows),
      /** The properties in which call-outs have their number, by node id. */
      numbers: Object.fromEntries(
        flows.flatMap((node) => (node.type === "call-out" ? [[node.id, pairOf(node, "toNumber")] as const] : [])),
      ),
    },
  };
}

/** The zone of a tenant as the runtime reads it: a value of the environment may name it. */
function zoneName({ timezone }: Partial<FlowNode>, env: Readonly<Record<string, string>>): string {
  const given = String(timezone ?? "").trim();
  const variable = variableOf(given);
  const name = variable === undefined ? given : (env[variable] ?? "");
  return [name, env["TZ"] ?? ""].find((each) => each !== "" && isZone(each)) ?? hostZone();
}

function endOf(until: string | number | undefined, from: number, zone: Zone): number {
  if (typeof until === "string") return instantOf(until, from, zone);
  const wall = from + zone.offsetPeriodAt(from).offset;
  return zone.instantAt(wall + (until ?? DEFAULT_DAYS) * DAY_MS);
}

/** No phone can ring: a tenant keeps what decides about calls, and loses what would reach a phone system. */
function asSandbox(node: FlowNode): FlowNode {
  if (node.type !== TENANT) return node;
  return { ...node, mode: "sandbox", sandboxPort: "0", engine: "memory", tls: "", proxy: "" };
}

/** Secrets of tabs, groups and subflows are not in a flow file: the world gives them, or a stand-in takes their place. */
function withStandIns(node: FlowNode, read: (name: string) => string | undefined): FlowNode {
  if (!Array.isArray(node["env"])) return node;
  const env = variablesIn([node]).map((entry) =>
    entry["type"] === "cred" ? { ...entry, type: "str", value: read(String(entry["name"])) } : entry,
  );
  return { ...node, env };
}

function sourcesIn(flows: readonly FlowNode[]): string[] {
  const wired = new Set(flows.flatMap(({ wires }) => (Array.isArray(wires) ? wires.flat(2) : [])));
  return flows.flatMap(({ id }) => (wired.has(id) ? [] : [id]));
}

/**
 * Stand-ins for the secrets of webhooks.
 * @param values of variables; the secrets are added under the names that inputs have for them
 * @param hidden the names of credentials, which are added, too
 */
function webhooksOf(
  flows: readonly FlowNode[],
  names: NodeNames,
  values: Map<string, string>,
  hidden: Set<string>,
  seed: number,
) {
  const credentials: Record<string, { readonly secret: string }> = {};
  const all = flows.filter(({ type }) => type === "telephony-webhook");
  for (const webhook of all) {
    const { id, credentials: own } = webhook;
    // As the credentials of other nodes are named.
    const name = variableOf(Object(own).secret) ?? `${id}_secret`.replaceAll(/\W/g, "_");
    const { scheme } = senderOf(webhook);
    const made = scheme === "standard" ? Buffer.from(standIn(name, seed)).toString("base64") : standIn(name, seed);
    const value = values.get(name) ?? made;
    values.set(name, value);
    hidden.add(name);
    credentials[id] = { secret: isSecret(value, scheme) ? value : made };
  }
  const running = all.filter(({ d, z }) => d !== true && names.find(String(z))?.["disabled"] !== true);
  const authorized = (input: PlannedInput, messageId: string): PlannedInput => {
    const [address = ""] = input.path.split("?", 1);
    // Of several with the same path, the first one receives.
    const found = running.find((each) => comparable(String(each["path"])) === comparable(address));
    const { secret } = credentials[found?.id ?? ""] ?? {};
    if (!found || secret === undefined || (input.kind !== "post" && input.kind !== "get")) return input;
    const sender = { ...senderOf(found), secret };
    const headers = withSecret(input.headers, input.path, String(input.body), sender, input.at, messageId);
    return { ...input, headers };
  };
  return { credentials, authorized };
}

function planned(
  input: WorldInput,
  at: number,
  names: NodeNames,
  read: (name: string) => string | undefined,
): PlannedInput {
  if ("get" in input) {
    const { get, ...rest } = input;
    return { ...planned({ ...rest, post: get, method: "GET" }, at, names, read), kind: "get" };
  }
  const common = { at, method: "POST", headers: {}, body: undefined, path: "" };
  if ("inject" in input) return { ...common, kind: "inject", target: names.runningIdOf(input.inject) };
  if ("node" in input) return { ...common, kind: "node", target: names.runningIdOf(input.node), body: input.msg };
  const { post: target, body: given } = input;
  const [address = ""] = target.split("?", 1);
  const readEncoded = (name: string) => {
    const value = read(name);
    return value && encodeURIComponent(value);
  };
  const path = address + fillVariables(target.slice(address.length), readEncoded);
  const method = (input.method ?? "POST").toUpperCase();
  const isText = typeof given === "string";
  const body = isText ? given : given === undefined ? "" : JSON.stringify(given);
  const own = body !== "" && { "content-type": isText ? "text/plain" : "application/json" };
  const entries = Object.entries(input.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fillVariables(value, read),
  ]);
  return { at, kind: "post", target, path, method, headers: { ...own, ...Object.fromEntries(entries) }, body };
}

function plannedFault(fault: WorldFault, at: (text: string) => number, end: number) {
  const [begins, ends] = [at(fault.at), fault.until === undefined ? end : at(fault.until)];
  if (fault.until !== undefined && ends <= begins)
    throw new CannotRehearse(`The fault at ${fault.at} ends before it begins: give a later until in the world.`);
  return { ...fault, at: begins, until: ends };
}

function contextsOf({ flow = {} }: World, names: NodeNames) {
  for (const id of Object.keys(flow))
    if (!names.find(id)) throw new CannotRehearse(`No flow has the id "${id}": correct flow in the world.`);
  return flow;
}

function schedulesOf({ schedules }: World, tenants: readonly FlowNode[]): Record<string, readonly unknown[]> {
  if (schedules === undefined) return {};
  const all = Array.isArray(schedules) && Object.fromEntries(tenants.map(({ id }) => [id, schedules]));
  return byId(all || (schedules as Readonly<Record<string, readonly unknown[]>>), new NodeNames(tenants));
}

function byId<T>(given: Readonly<Record<string, T>>, names: NodeNames): Record<string, T> {
  return Object.fromEntries(Object.entries(given).map(([node, value]) => [names.idOf(node), value]));
}

/** Says where Inject nodes do not run as in the Node-RED of this host: a rehearsal has the zone of its world or first tenant. */
export function movedInjects({ flows, plan }: Prepared): string[] {
  const [zone = "", host] = [plan.env["TZ"], hostZone()];
  const isTimed = flows.some(({ type, crontab, d }) => type === "inject" && Boolean(crontab) && d !== true);
  if (!isTimed || isSameZone(zone, host)) return [];
  return [
    `Inject nodes were moved into the zone ${zone} of this rehearsal. In Node-RED they go by the zone of its host (here ${host}): set TZ there, or use business-hour-trigger.`,
  ];
}

/** Names nodes that have wires and no place on the canvas: Node-RED takes them for configuration nodes. */
export function withoutPlace({ flows, names }: Prepared): string[] {
  const isLost = (node: FlowNode) => [node["wires"]].flat(2).some(Boolean) && !("x" in node && "y" in node);
  const lost = flows.filter(isLost).map(({ id }) => `"${names.nameOf(id)}"`);
  if (lost.length === 0) return [];
  return [
    `Nodes without x and y send nothing, because Node-RED takes them for configuration nodes: ${lost.join(", ")}.`,
  ];
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

/**
 * Reads `+90s` after `from` (also `m`, `h` and `d`), `09:00` as the first such time at or after `from`, or ISO 8601, without
 * offset in the zone.
 * @param from epoch milliseconds
 * @returns epoch milliseconds
 * @throws CannotRehearse
 */
export function instantOf(text: string, from: number, zone: Zone): number {
  const [, amount, unit = ""] = /^\+(\d+(?:\.\d+)?)([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return from + Math.round(Number(amount) * (MILLISECONDS[unit] ?? 0));
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? [];
  if (hours !== undefined) {
    const time = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return firstAtOrAfter(from, time, zone);
  }
  try {
    return readInstant(text, zone);
  } catch {
    const shown = JSON.stringify(text).slice(0, 60);
    throw new CannotRehearse(`${shown} is no instant: use ISO 8601, "+90s" after the start, or "09:00".`);
  }
}

function firstAtOrAfter(from: number, time: number, zone: Zone): number {
  const wall = from + zone.offsetPeriodAt(from).offset;
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const today = zone.instantAt(midnight + time);
  return today >= from ? today : zone.instantAt(midnight + DAY_MS + time);
}
