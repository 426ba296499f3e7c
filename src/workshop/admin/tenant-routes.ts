import type { NodeAPI } from "node-red";
import {
  type Code,
  type Job,
  type JobResult,
  notSent,
  operations,
  platformProblem,
  type Request,
  RequestStyle,
  readRedisUrl,
  readSettings,
  requestFor,
  TenantClient,
} from "../../client";
import { OPENMETRICS, openMetrics } from "../../runtime/metrics/openmetrics";
import { NO_SOURCES } from "../../runtime/node-red/host";
import { proxyFor } from "../../runtime/node-red/proxy";
import { COMMANDS, type Command, carryOut, type Order } from "../../runtime/nodes/control/command";
import type { ControlNode } from "../../runtime/nodes/control/control-node";
import { orderReader } from "../../runtime/nodes/control/order";
import { wholeList } from "../../runtime/schedules/pages";
import { type UsableTenant, usable } from "../../runtime/tenants/chosen-tenant";
import { tenantOf, usableTenants } from "../../runtime/tenants/tenants";
import { tlsFor } from "../../runtime/tenants/tls";
import { INITIAL_SCHEDULES } from "../../sandbox";
import { joined } from "../../texts/catalogue";
import { testEngine, testRedis } from "./engine-test";
import { type Body, Content, HttpError } from "./http";
import { type Preview, Reader } from "./preview/answer";
import { keyOf } from "./waiting-calls";

const LIST = requestFor(operations.listBusinessHours);
const TEST = requestFor(operations.listBusinessHours, { limit: 1 });
const TEST_TIMEOUT_S = 10;

export type ScheduleList = Awaited<ReturnType<typeof schedules>>;
export type TodaysCalls = ReturnType<typeof today>;
export type TenantCounts = Awaited<ReturnType<typeof command>>;

/** Codes of an answer that is not the service's list: usually another server, or the wrong path. */
const NOT_THE_SERVICE: readonly Code[] = ["ERR_REJECTED", "ERR_REDIRECT", "ERR_BAD_RESPONSE"];

/**
 * Tests a connection: answers with the number of schedules, the time it took, and where call-outs wait. An address of Redis
 * in the request is tested instead of the deployed one.
 */
export async function testConnection(RED: NodeAPI, body: Body): Promise<Preview> {
  const reader = new Reader(RED, body);
  const { id, redisUrl } = body;
  const started = performance.now();
  const tenant = id === undefined ? undefined : usable(tenantOf(String(id)));
  const result = await (tenant ? send(tenant, TEST) : testTyped(RED, body));
  const ms = Math.round(performance.now() - started);
  if (!result.ok) {
    const { code, params } = result.error;
    if (!NOT_THE_SERVICE.includes(code)) throw result.error;
    return { lines: [{ text: reader.text("test.noService", { status: params["status"] ?? code }), kind: "problem" }] };
  }
  const { partyFields, booleans } = (tenant && foundStyle(tenant)) ?? {};
  const { total } = Object(result.data);
  const works = [
    reader.text("test.fine", { count: typeof total === "number" ? total : "?", ms }),
    ...[partyFields, booleans].flatMap((found) => (found ? [reader.text(`style.${found}`)] : [])),
  ];
  const engine =
    redisUrl !== undefined ? testRedis(reader, readRedisUrl(redisUrl)) : tenant && testEngine(reader, tenant);
  const text = joined((key, params) => reader.text(key, params), "pattern.sentences", works);
  return { lines: [{ text, kind: "fine" as const }, await engine].flatMap((line) => line ?? []) };
}

export async function schedules(id: string) {
  const tenant = usable(tenantOf(id));
  const list = await wholeList({ request: LIST, send: (page) => send(tenant, page) });
  if (!list.ok) throw list.error;
  const items = (list.data as unknown[]).map(Object) as { readonly id: unknown; readonly name: unknown }[];
  return { ok: true as const, schedules: items.map(({ id: schedule, name }) => ({ id: schedule, name })) };
}

/** Lists the schedules that a sandbox will have once it is deployed. */
export function schedulesOfNewSandbox(): ScheduleList {
  return { ok: true, schedules: INITIAL_SCHEDULES.map(({ name }, index) => ({ id: index + 1, name })) };
}

/** Commands with what a message would give. */
const AS_MESSAGES: readonly Command[] = ["block", "unblock", "settle"];
/** Commands whose answers are not masked. */
const UNMASKED: readonly Command[] = ["list", "blocked", "unknown"];

/** Carries out a command for a deployed tenant. */
export async function command(id: string, body: Body) {
  const chosen = COMMANDS.find((known) => known === body["command"]);
  const { only } = body;
  if (!chosen || UNMASKED.includes(chosen) || (only !== undefined && only !== "held-back")) throw new HttpError(400);
  const tenant = tenantOf(id);
  const used = usable(tenant);
  const key = chosen === "cancel" ? await keyOf(used.client, body["handle"]) : undefined;
  const order: Order = AS_MESSAGES.includes(chosen)
    ? await orderReader({}, NO_SOURCES, used.settings.timezone)({ payload: body })
    : { command: chosen, key, only };
  const counts = await carryOut(tenant, order);
  const fails = used.client.lanes.failure !== undefined && { isFailing: true };
  // Only the command that lists them, which is none of these, has the calls there.
  const unknown = Number(counts.unknown);
  return { ok: true as const, ...counts, unknown, ...fails, zone: used.settings.timezone, style: foundStyle(used) };
}

/** The calls of a deployed tenant today, by outcome, and those that were not placed. */
export function today(id: string) {
  const { settings, statistics } = usable(tenantOf(id));
  return { ok: true as const, zone: settings.timezone, ...statistics.today.view };
}

/** The numbers of all deployed tenants. */
export function metrics(): Content {
  const tenants = usableTenants().map(({ id, name, mode, client: { lanes }, statistics: { actions, rows } }) => {
    return { id, name, mode, lanes, actions, rows };
  });
  return new Content(openMetrics(tenants), { "content-type": OPENMETRICS });
}

/** Lets a running control node perform the command of its dialog, as for a message. */
export async function pressControl(RED: NodeAPI, id: string): Promise<{ readonly ok: true }> {
  const node = RED.nodes.getNode(id) as { readonly control?: ControlNode } | null;
  if (!node?.control) throw new HttpError(404);
  await node.control.press();
  return { ok: true };
}

/** Returns what the automatic party format has found out so far; `undefined` if the format is fixed. */
function foundStyle({ client: { options } }: UsableTenant) {
  const { style } = options;
  return style.isFixed ? undefined : style.proven;
}

/**
 * Tests an address with a token that were both typed, with the deployed TLS settings and proxy that are selected, and else
 * the proxy of the environment, as a deployed tenant would. A saved token is never sent to an address from a request.
 */
async function testTyped(RED: NodeAPI, { url, token, authHeader, tls, proxy }: Body): Promise<JobResult> {
  const unfit = platformProblem();
  if (unfit) throw unfit;
  const settings = readSettings({ url, authHeader, timeout: TEST_TIMEOUT_S }, token);
  if (!settings.address) throw notSent("ERR_CONFIG", "config", { key: "config.addressMissing", field: "url" });
  const { address } = settings;
  const secure = tlsFor(RED, String(tls ?? ""));
  const server = proxyFor(RED, String(proxy ?? ""), address);
  const style = new RequestStyle("auto");
  const connecting = { ...(secure && { tls: secure }), ...(server && { proxy: server }) };
  const client = new TenantClient({ ...settings, address, style, ...connecting });
  try {
    return await send({ client }, TEST);
  } finally {
    client.refuse(notSent("ERR_DROPPED", "queue"));
  }
}

function send({ client }: Pick<UsableTenant, "client">, request: Request): Promise<JobResult> {
  const job: Job = { id: "", nodeId: "", action: "editor", lane: "other", repeat: "freely", request };
  return client.send(job);
}
