import { pairOf } from "../../fields";
import { variableOf } from "../../fields/variable";
import { hostZone, isSameZone, isZone, loadZone, type Zone } from "../../hours";
import type { FlowNode } from "../lint/flow-node";
import { chooseFlows } from "./choose-flows";
import { endOf, instantOf, timed } from "./instants";
import { NodeNames } from "./node-names";
import type { RehearsalOptions } from "./options";
import { checkReceiver, planned, webhooksOf } from "./planned-input";
import { namedIn, READ_BY_NODE, standIn, variablesIn } from "./variables";
import { CannotRehearse, type World, type WorldFault } from "./world";

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

/**
 * Resolves all names and instants.
 * @throws CannotRehearse
 */
export async function prepare(options: RehearsalOptions) {
  const { world = {}, seed = 1, watch = [], running } = options;
  const { flows, notes } = chooseFlows(options.flows, options.tabs);
  const names = new NodeNames(options.flows, flows);
  checkSubflows(flows, names);
  const isTenant = ({ type }: FlowNode) => type === TENANT;
  const tenants = options.flows.filter(isTenant);
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
  const first = flows.find(isTenant) ?? tenants[0];
  const zone = zones.get(String(first?.id)) ?? (await loadZone(zoneName({}, env)));
  env["TZ"] ??= zone.name;
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const from = options.from === undefined ? now : instantOf(options.from, now, zone);
  const until = endOf(options.until, from, zone);
  if (until <= from) throw new CannotRehearse("The rehearsal must end after it begins: choose a later end.");
  const watched = new Map(watch.map((given) => [given, names.idOf(given)]));
  const at = (text: string) => instantOf(text, from, zone);
  return {
    flows: flows.map((node) => withStandIns(asSandbox(node), read)),
    notes,
    /** Variables of the running Node-RED that are left out. */
    leftOut: given.map(([name]) => name).filter((name) => READ_BY_NODE.test(name)),
    names,
    /** Of the first tenant that runs. */
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
      inputs: timed(world.inputs ?? [], from, until, zone).map(({ input, at: instant }, index) => {
        const one = planned(input, instant, names, read);
        checkReceiver(one, options.flows, flows);
        return authorized(one, `input-${index + 1}`);
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

/** @throws CannotRehearse: Node-RED would start no flow at all */
function checkSubflows(flows: readonly FlowNode[], names: NodeNames): void {
  const known = new Set(flows.flatMap(({ id, type }) => (type === "subflow" ? [`subflow:${id}`] : [])));
  const lost = flows.find(({ type }) => type.startsWith("subflow:") && !known.has(type));
  if (lost)
    throw new CannotRehearse(
      `The subflow of "${names.nameOf(lost.id)}" (${lost.id}) is not in the file: export it, too, or delete the node.`,
    );
}

/** The zone of a tenant as the runtime reads it: a value of the environment may name it. */
function zoneName({ timezone }: Partial<FlowNode>, env: Readonly<Record<string, string>>): string {
  const given = String(timezone ?? "").trim();
  const variable = variableOf(given);
  const name = variable === undefined ? given : (env[variable] ?? "");
  return [name, env["TZ"] ?? ""].find((each) => each !== "" && isZone(each)) ?? hostZone();
}

/** Makes a tenant a sandbox: it keeps what decides about calls, and loses what would reach a phone system, so that no phone can ring. */
function asSandbox(node: FlowNode): FlowNode {
  if (node.type !== TENANT) return node;
  return { ...node, mode: "sandbox", sandboxPort: "0", engine: "memory", tls: "", proxy: "" };
}

/** Fills in secrets of tabs, groups and subflows, which are not in a flow file, from the world or with stand-ins. */
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

/** Reports where Inject nodes do not run as in the Node-RED of this host: a rehearsal has the zone of its world or first tenant. */
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
