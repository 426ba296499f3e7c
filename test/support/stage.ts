import { type EventEmitter, once } from "node:events";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Node, NodeInitializer, NodeMessage, NodeStatus } from "node-red";
import { assertNoToken, TOKEN } from "./canary";
import { type Flow, helper, nodes as packageNodes, type Received, type Reply } from "./flow";
import { until } from "./until";

const coreSplit = require("@node-red/nodes/core/sequence/17-split.js") as NodeInitializer;

const nodes = [...packageNodes, coreSplit];

/** Created for each test: Node-RED removes those that a flow has no node for. */
const credentials = () => ({ t1: { token: TOKEN }, t2: { token: "other-token" } });

export const nodeOf = (id: string) => helper.getNode(id) as unknown as Node & EventEmitter;

/** Loads a flow into a real Node-RED runtime. */
export async function load(flow: Flow): Promise<void> {
  await helper.load(nodes, flow as never, credentials() as never);
  spread();
}

/** What the helper's own `setFlows` is made of; that one gives the flows only 300 ms to start. */
interface Runtime {
  readonly _redNodes: { setFlows(flow: Flow, credentials: object, kind: string): Promise<void> };
  readonly _events: EventEmitter;
}

/** Deploys another flow, as the editor does. */
export async function redeploy(flow: Flow, kind: "full" | "flows" | "nodes" = "full"): Promise<void> {
  const { _redNodes, _events } = helper as unknown as Runtime;
  const started = once(_events, "flows:started");
  await _redNodes.setFlows(flow, credentials(), kind);
  await started;
  spread();
}

/** Two full deploys, the second one before the first has begun to stop anything. */
export async function redeployTwice(first: Flow, second: Flow): Promise<void> {
  const { _redNodes } = helper as unknown as Runtime;
  const started = once(events(), "flows:started");
  await Promise.all([first, second].map((flow) => _redNodes.setFlows(flow, credentials(), "full")));
  await started;
  spread();
}

/** The runtime's own events. */
export const events = (): EventEmitter => (helper as unknown as Runtime)._events;

/** A tab with a tenant, the nodes given, and collectors behind them. */
export function flowOf(tenant: Record<string, unknown>, ...more: Record<string, unknown>[]): Flow {
  return [
    { id: "f1", type: "tab", label: "test" },
    { id: "t1", type: "telephony-tenant", name: "", ...tenant },
    ...more.map((node, index) => ({ z: "f1", x: 100, y: 100 + 50 * index, ...node })),
    { id: "c1", z: "f1", x: 100, y: 20, type: "catch", scope: null, uncaught: false, wires: [["caught"]] },
    { id: "d1", z: "f1", x: 100, y: 60, type: "complete", scope: more.map(({ id }) => id), wires: [["completed"]] },
    ...["out", "closed", "caught", "completed"].map((id, index) => ({
      id,
      z: "f1",
      x: 400,
      y: 50 * index,
      type: "helper",
      wires: [],
    })),
  ];
}

/** A message as it comes out of a flow, where anything may be. */
export interface Message extends NodeMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what is there
  [property: string]: any;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what is there
  payload?: any;
}

/** All that came out of the flow under test since it was loaded or `clear` was called. */
export const seen: Record<"out" | "closed" | "caught" | "completed", Message[]> = {
  out: [],
  closed: [],
  caught: [],
  completed: [],
};

export function clear(): void {
  for (const [where, list] of Object.entries(seen)) assertNoToken(`messages at ${where}`, ...list.splice(0));
}

// For every suite that collects here: the messages of its last test are checked, too.
afterEach(clear);

const listening = new WeakSet<object>();

/** The collectors are other nodes after most deploys; what they collected stays. */
function spread(): void {
  for (const [id, list] of Object.entries(seen)) {
    const node = nodeOf(id);
    if (!node || listening.has(node)) continue;
    listening.add(node);
    node.on("input", ((message: Message) => {
      list.push(message);
    }) as never);
  }
}

/** What a node shows from now on, as text with the catalogue's prefix taken off; not that an earlier test's was taken away. */
export function statusesOf(id: string): NodeStatus[] {
  const statuses: NodeStatus[] = [];
  nodeOf(id).on("call:status", ({ args: [status] }: { args: [NodeStatus] }) => {
    if (status.text !== undefined) statuses.push(plain(status));
  });
  return statuses;
}

/** Statuses of the new node with the same id after the next deploy. */
export function statusesOfNext(id: string): NodeStatus[] {
  const statuses: NodeStatus[] = [];
  const onStatus = (event: { id: string; status: NodeStatus }) => {
    if (event.id === id) statuses.push(plain(event.status));
  };
  events().on("node-status", onStatus);
  unsubscribers.push(() => events().off("node-status", onStatus));
  return statuses;
}

export { until };

const unsubscribers: (() => void)[] = [];
afterEach(() => {
  for (const unsubscribe of unsubscribers.splice(0)) unsubscribe();
});

const plain = (status: NodeStatus): NodeStatus => ({
  ...status,
  text: String(status.text).replaceAll(/@[^:]*:status\./g, ""),
});

/** The log's warnings since the flow was loaded. */
export const warnings = (): string[] =>
  (helper.log().args.flat() as { level: number; msg: unknown }[])
    .filter(({ level }) => level === 30)
    .map(({ msg }) => String(msg));

export const give = (message: object, id = "n1") => nodeOf(id).receive(message as NodeMessage);

/** Allows turns of the event loop, as many on a busy machine, for effects that must have happened or must not. */
export async function settle(ms = 0): Promise<void> {
  for (let slept = 0; slept < ms; slept += 2) await sleep(2);
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
}

const ended = () => seen.out.length + seen.closed.length + seen.caught.length;

/** Sends messages into a node and waits until each has come out somewhere. */
export async function play(messages: readonly object[], id = "n1"): Promise<void> {
  const before = ended();
  for (const message of messages) give(message, id);
  await until(() => ended() >= before + messages.length, `${messages.length} messages ended`);
  await settle();
}

/** The one message that comes of another one. */
export async function pass(message: object, id = "n1"): Promise<Message> {
  clear();
  await play([message], id);
  const [first] = [...seen.out, ...seen.closed];
  if (!first) throw new Error(`failed: ${JSON.stringify(seen.caught[0]?.["error"])}`);
  return first;
}

/** The failure that a message ends with. */
export async function fail(message: object, id = "n1"): Promise<Message["error"]> {
  clear();
  await play([message], id);
  if (seen.out.length + seen.closed.length > 0 || seen.caught.length !== 1) {
    throw new Error(`expected one failure: ${JSON.stringify(seen)}`);
  }
  return seen.caught[0]?.["error"];
}

/** A business hour as the interface shows it in reads. */
export interface Hour {
  readonly id: number;
  readonly name: string;
  readonly enable: number;
  readonly provider_business_hour_id: null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly days: readonly { readonly day: string; readonly open: string; readonly close: string }[];
}

export function hour(id: number, name: string, days: Hour["days"] = ALWAYS, enable = 1): Hour {
  const at = "2023-02-21T08:00:00.000000Z";
  return { id, name, enable, provider_business_hour_id: null, created_at: at, updated_at: at, days };
}

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const ALWAYS = WEEK.map((day) => ({ day, open: "00:00:00", close: "23:59:00" }));
export const NINE_TO_FIVE = WEEK.map((day) => ({ day, open: "09:00:00", close: "17:00:00" }));

export const envelope = (data: unknown, more: object = {}) => ({
  success: true,
  code: 200,
  locale: "en",
  message: "OK",
  data,
  ...more,
});

export const refusal = (message: string) => ({ success: false, code: 404, locale: "en", message, data: null });

/** One page of a list, with addresses that must not be followed. */
export function pageOf(items: readonly unknown[], page: number, perPage: number, more: object = {}): object {
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const start = (page - 1) * perPage;
  const data = items.slice(start, start + perPage);
  const elsewhere = (number: number) => `http://elsewhere.invalid/list?page=${number}`;
  return {
    current_page: page,
    data,
    first_page_url: elsewhere(1),
    from: data.length > 0 ? start + 1 : null,
    last_page: last,
    last_page_url: elsewhere(last),
    next_page_url: page < last ? elsewhere(page + 1) : null,
    path: "http://elsewhere.invalid/list",
    per_page: perPage,
    prev_page_url: page > 1 ? elsewhere(page - 1) : null,
    to: data.length > 0 ? start + data.length : null,
    total: items.length,
    ...more,
  };
}

export const LIST = "/api/v1/setting/business-hour";

export const queryOf = ({ url }: Received) => Object.fromEntries(new URL(url, "http://x").searchParams);

/** A tenant with these business hours, which each request reads again. */
export function serving(hours: () => readonly Hour[]): (request: Received) => Reply {
  return ({ method, url }) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    if (method === "GET" && pathname === LIST) {
      const search = (searchParams.get("search") ?? "").toLowerCase();
      const found = hours().filter(({ name }) => name.toLowerCase().includes(search));
      return {
        body: envelope(pageOf(found, Number(searchParams.get("page") ?? 1), Number(searchParams.get("limit") ?? 20))),
      };
    }
    const found = hours().find(({ id }) => pathname === `${LIST}/${id}`);
    if (method === "GET" && found) return { body: envelope(found) };
    return { status: 404, body: refusal("Not found") };
  };
}

export { helper };
