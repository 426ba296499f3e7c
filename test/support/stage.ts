import { type EventEmitter, once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Node, NodeInitializer, NodeMessage, NodeStatus } from "node-red";
import helper from "node-red-node-test-helper";
import { closeSandbox } from "../../src/runtime/tenants/sandboxes";
import { runningTenants } from "../../src/runtime/tenants/tenants";
import { assertNoToken, TOKEN } from "./canary";
import { LiveTenant } from "./live-tenant";
import { listen } from "./loopback";
import { registerNodes } from "./node-types";
import { inKeys } from "./speaking";
import { until } from "./until";

helper.init(require.resolve("node-red"));

/** The test helper's own `_` loses what a key is to be filled with. */
const speakingInKeys: NodeInitializer = (RED) => registerNodes(Object.assign(RED, { _: inKeys }));
export const nodes = [speakingInKeys, require("@node-red/nodes/core/sequence/17-split.js") as NodeInitializer];

/** Creates them for each test: Node-RED removes those that a flow has no node for. */
const credentials = () => ({ t1: { token: TOKEN }, t2: { token: "other-token" } });

export type Flow = Record<string, unknown>[];

export const nodeOf = (id: string) => helper.getNode(id) as unknown as Node & EventEmitter;

/** Loads a flow into a real Node-RED runtime, where others than our nodes are not known unless they are given. */
export async function load(flow: Flow, secrets: object = {}, ...others: NodeInitializer[]): Promise<void> {
  await helper.load([...nodes, ...others], flow as never, { ...credentials(), ...secrets } as never);
  spread();
}

/** The parts of which the helper's own `setFlows` is made; that one gives the flows only 300 ms to start. */
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

/** Makes two full deploys, the second one before the first has begun to stop anything. */
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
    { id: "t1", type: "telephony-tenant", name: "", onTrouble: "fail", ...tenant },
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

/** A flow of one node, `n1`, and its tenant. */
export const flowWith = (url: string, node: Record<string, unknown>, tenant: Record<string, unknown> = {}): Flow =>
  flowOf({ url, ...tenant }, { id: "n1", tenant: "t1", wires: [["out"]], ...node });

/** A message as it comes out of a flow, where anything may be. */
export interface Message extends NodeMessage {
  // biome-ignore lint/suspicious/noExplicitAny: a message holds anything, and a test that is wrong about it fails
  [property: string]: any;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions say what is there
  payload?: any;
}

/** The failure that a Catch node gets to act on. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly cause: { readonly [fact: string]: unknown; readonly request?: Record<string, unknown> };
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

/** Collects what a node shows from now on, as text without the catalogue's prefix; not that an earlier test's was taken away. */
export function statusesOf(id: string): NodeStatus[] {
  const statuses: NodeStatus[] = [];
  nodeOf(id).on("call:status", ({ args: [status] }: { args: [NodeStatus] }) => {
    if (status.text !== undefined) statuses.push(plain(status));
  });
  return statuses;
}

/** Returns what the node under test has shown so far. */
export function shownSoFar(): { fill: unknown; shape: unknown }[] {
  const { thisValues, args } = (nodeOf("n1") as unknown as { status: { thisValues: Node[]; args: [NodeStatus][] } })
    .status;
  return args.flatMap(([{ fill, shape }], call) => (thisValues[call]?.id === "n1" ? [{ fill, shape }] : []));
}

/** Collects the statuses of the new node with the same id after the next deploy. */
export function statusesOfNext(id: string): NodeStatus[] {
  const statuses: NodeStatus[] = [];
  const onStatus = (event: { id: string; status: NodeStatus }) => {
    if (event.id === id) statuses.push(plain(event.status));
  };
  events().on("node-status", onStatus);
  unsubscribers.push(() => events().off("node-status", onStatus));
  return statuses;
}

const unsubscribers: (() => void)[] = [];
afterEach(() => {
  for (const unsubscribe of unsubscribers.splice(0)) unsubscribe();
});

const plain = (status: NodeStatus): NodeStatus => ({
  ...status,
  text: String(status.text).replaceAll(/@[^:]*:status\./g, ""),
});

/** Returns what was logged at a level of Node-RED's since the flow was loaded. */
const logged = (at: number): string[] =>
  (helper.log().args.flat() as { level: number; msg: unknown }[])
    .filter(({ level }) => level === at)
    .map(({ msg }) => String(msg));
export const errors = () => logged(20);
export const warnings = () => logged(30);

export const give = (message: object, id = "n1") => nodeOf(id).receive(message as NodeMessage);

/** So long after the last one, a status is shown at once. */
export const STATUS_MS = 300;

/** Allows turns of the event loop, as many on a busy machine, for effects that must have happened or must not. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
}

const echo = createServer((socket) => socket.pipe(socket)).unref();
const HOPS = 3;

/**
 * A barrier: a request of this process that had begun before has reached a server of this process, and its answer has come back and
 * taken effect. No evidence where a timer may still do something.
 */
export async function roundTrip(): Promise<void> {
  const port = echo.listening ? (echo.address() as AddressInfo).port : await listen(echo);
  const socket = connect(port, "127.0.0.1");
  for (let hop = 0; hop < HOPS; hop += 1) {
    await settle();
    socket.write(".");
    await once(socket, "data");
  }
  socket.destroy();
  await settle();
}

const ended = () => seen.out.length + seen.closed.length + seen.caught.length;

async function playAt(id: string, messages: readonly object[]): Promise<typeof seen> {
  clear();
  for (const message of messages) give(message, id);
  await until(() => ended() >= messages.length, `${messages.length} messages ended`);
  await settle();
  const { out, closed, caught, completed } = seen;
  return { out: [...out], closed: [...closed], caught: [...caught], completed: [...completed] };
}

/** Sends messages into the node under test, waits until each has come out somewhere, and then for what must not come. */
export const play = (...messages: object[]) => playAt("n1", messages);

/** The one message that comes of another one. */
export async function pass(message: object, id = "n1"): Promise<Message> {
  const { out, closed, caught } = await playAt(id, [message]);
  const [first] = [...out, ...closed];
  if (!first) throw new Error(`failed: ${JSON.stringify(caught[0]?.["error"])}`);
  return first;
}

/** The failure that a message ends with. */
export async function fail(message: object, id = "n1"): Promise<Message["error"]> {
  const { out, closed, caught } = await playAt(id, [message]);
  if (out.length + closed.length > 0 || caught.length !== 1)
    throw new Error(`expected one failure: ${JSON.stringify({ out, closed, caught })}`);
  return caught[0]?.["error"];
}

/** Lists all that was logged, at every level, and every status, since the flow was loaded. */
function whatShows(): unknown[] {
  const log = helper.log() as unknown as { readonly args?: readonly (readonly unknown[])[] } | undefined;
  const prototype = (helper as unknown as { _NodePrototype: { status?: { args?: readonly unknown[][] } } })
    ._NodePrototype;
  return [...(log?.args ?? []), ...(prototype.status?.args ?? [])].flat();
}

/** Installs hooks that every suite of nodes needs: the runtime, and a fresh tenant for each test. */
export function withTenant(): { readonly tenant: LiveTenant } {
  const held: { tenant: LiveTenant } = { tenant: undefined as never };
  before(() => helper.startServer());
  after((done) => {
    helper.stopServer(done);
  });
  beforeEach(async () => {
    held.tenant = await LiveTenant.start();
  });
  afterEach(async () => {
    const shown = whatShows();
    const tenants = runningTenants();
    await helper.unload();
    // Stopping the flows leaves sandboxes running, as a redeploy must.
    await Promise.all(tenants.map(({ id }) => closeSandbox(id)));
    held.tenant.stop();
    assertNoToken("the log, at any level, or a status", ...shown);
  });
  return held;
}

export { helper, until };
