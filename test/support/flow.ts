import type { EventEmitter } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Node, NodeMessage, NodeStatus } from "node-red";
import helper from "node-red-node-test-helper";
import { closeSandbox } from "../../src/runtime/tenants/sandboxes";
import { runningTenants } from "../../src/runtime/tenants/tenants";
import { RequestChecks } from "../interface/interface";
import { assertNoToken, TOKEN } from "./canary";
import { end, listen } from "./loopback";
import { registerNodes } from "./node-types";

helper.init(require.resolve("node-red"));

export const nodes = [registerNodes];

/** A request as the tenant received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The envelope of the interface's call-action samples. */
export const ACCEPTED = { success: true, code: 200, locale: "en", message: "OK", data: null };

/** What a tenant answers, or what it does with its side of the connection instead. */
export type Reply =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse) => void);

type Answer = (request: Received, index: number) => Reply | Promise<Reply>;

export type TenantServer = Awaited<ReturnType<typeof tenantServer>>;

/** A tenant on loopback that records its requests, checks them against the interface and answers as instructed. */
export async function tenantServer(first: Answer = () => ({})) {
  const received: Received[] = [];
  const checks = new RequestChecks();
  let answer = first;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
      received.push(seen);
      checks.check(seen);
      void Promise.resolve(answer(seen, received.length - 1)).then((reply) => {
        if (typeof reply === "function") return reply(response);
        const { status = 200, body = ACCEPTED, headers: extra = {} } = reply;
        response.writeHead(status, { "content-type": "application/json", ...extra });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
  });
  const port = await listenAnew(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** The body of a request; empty when there was no such request. */
    body: (index = 0) => (received[index]?.body ?? {}) as Record<string, unknown>,
    /** Answers differently from now on. */
    answers(next: Answer) {
      answer = next;
    },
    /** Throws when a request was none of the interface. */
    async stop() {
      await end(server);
      checks.assertNone();
    },
  };
}

/** Ports that a tenant has used: deduplication keys outlive their tenant, so the next test needs another port. */
const used = new Set<number>();

async function listenAnew(server: Server): Promise<number> {
  for (;;) {
    const port = await listen(server);
    if (!used.has(port)) {
      used.add(port);
      return port;
    }
    await end(server);
  }
}

export type Flow = Record<string, unknown>[];

/** A flow as written by hand: a tenant, the node under test, and nodes that receive all of its results. */
export function flowWith(url: string, node: Record<string, unknown>, tenant: Record<string, unknown> = {}): Flow {
  return [
    { id: "f1", type: "tab", label: "test" },
    { id: "t1", type: "telephony-tenant", name: "", url, ...tenant },
    { id: "n1", z: "f1", x: 100, y: 100, tenant: "t1", wires: [["out"]], ...node },
    { id: "out", z: "f1", x: 300, y: 100, type: "helper", wires: [] },
    { id: "c1", z: "f1", x: 100, y: 200, type: "catch", scope: ["n1"], uncaught: false, wires: [["caught"]] },
    { id: "caught", z: "f1", x: 300, y: 200, type: "helper", wires: [] },
    { id: "d1", z: "f1", x: 100, y: 300, type: "complete", scope: ["n1"], wires: [["completed"]] },
    { id: "completed", z: "f1", x: 300, y: 300, type: "helper", wires: [] },
  ];
}

export { TOKEN };
export const CREDENTIALS = { t1: { token: TOKEN } };

/** What a Catch node gets to act on. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly cause: {
    readonly [fact: string]: unknown;
    readonly request?: Record<string, unknown>;
  };
}

/** A message as it comes out of a node, at its output or at a Catch node. */
// biome-ignore lint/suspicious/noExplicitAny: a message holds anything, and a test that is wrong about it fails
export type Message = NodeMessage & Record<string, any>;

/** Loads a flow into a real Node-RED runtime. */
export async function load(flow: Flow, credentials: object = CREDENTIALS): Promise<void> {
  await helper.load(nodes, flow as never, credentials as never);
}

export const nodeOf = (id: string) => helper.getNode(id) as unknown as Node;

/** Everything that came of one message. */
export interface Ended {
  readonly outs: Message[];
  readonly catches: Message[];
  readonly completions: Message[];
}

/**
 * Sends messages into the node under test and collects the results, until each has reached the output or the
 * Catch node, and then for a few more turns of the event loop, to catch unexpected messages.
 */
export async function play(...messages: object[]): Promise<Ended> {
  const ended: Ended = { outs: [], catches: [], completions: [] };
  const lists = { out: ended.outs, caught: ended.catches, completed: ended.completions };
  let settle: () => void = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const listeners = Object.entries(lists).map(([id, list]) => {
    const listener = (message: Message) => {
      list.push(message);
      if (ended.outs.length + ended.catches.length >= messages.length) settle();
    };
    nodeOf(id).on("input", listener as never);
    return () => nodeOf(id)?.off("input", listener as never);
  });
  for (const message of messages) nodeOf("n1").receive(message as NodeMessage);
  await settled;
  for (let turns = 0; turns < 5; turns += 1) await nextTurn();
  for (const off of listeners) off();
  assertNoToken("messages", ended.outs, ended.catches, ended.completions);
  return ended;
}

/** Sends one message and returns its result, at the output or at the Catch node. */
export async function send(message: object): Promise<{ out?: Message; caught?: Message }> {
  const { outs, catches } = await play(message);
  return { ...(outs[0] && { out: outs[0] }), ...(catches[0] && { caught: catches[0] }) };
}

/** The failure of a message that must fail: what a Catch node can act on. */
export async function failureOf(message: object): Promise<Failure> {
  const { outs, catches } = await play(message);
  const [caught] = catches;
  if (!caught || outs.length > 0 || catches.length > 1) {
    throw new Error(`expected one failure, got ${JSON.stringify({ outs, catches })}`);
  }
  return caught["error"];
}

/** Waits for a status whose text contains a word; the test helper shows catalogue keys instead of sentences. */
export function statusWith(word: string, id = "n1"): Promise<NodeStatus> {
  return new Promise((resolve) => {
    const node = nodeOf(id) as EventEmitter;
    const listener = ({ args: [status] }: { args: [NodeStatus] }) => {
      if (!status.text?.includes(word)) return;
      node.off("call:status", listener);
      resolve(status);
    };
    node.on("call:status", listener);
  });
}

/** What the node under test has shown so far. */
export function statusesOf(): { fill: unknown; shape: unknown }[] {
  const { status } = helper.getNode("n1") as unknown as {
    status: { thisValues: { id: string }[]; args: [NodeStatus][] };
  };
  return status.args.flatMap(([{ fill, shape }], call) =>
    status.thisValues[call]?.id === "n1" ? [{ fill, shape }] : [],
  );
}

/** All that was logged, at every level, and every status, since the flow was loaded. */
function whatShows(): unknown[] {
  const log = helper.log() as unknown as { readonly args?: readonly (readonly unknown[])[] } | undefined;
  const prototype = (helper as unknown as { _NodePrototype: { status?: { args?: readonly unknown[][] } } })
    ._NodePrototype;
  return [...(log?.args ?? []), ...(prototype.status?.args ?? [])].flat();
}

/** Hooks that every suite of nodes needs: the runtime, and a fresh tenant for each test. */
export function withTenant(): { readonly tenant: TenantServer } {
  const held: { tenant: TenantServer } = { tenant: undefined as never };
  before(() => helper.startServer());
  after((done) => {
    helper.stopServer(done);
  });
  beforeEach(async () => {
    held.tenant = await tenantServer();
  });
  afterEach(async () => {
    const shown = whatShows();
    const tenants = runningTenants();
    await helper.unload();
    // Stopping the flows leaves sandboxes running, as a redeploy must.
    await Promise.all(tenants.map(({ id }) => closeSandbox(id)));
    await held.tenant.stop();
    assertNoToken("the log, at any level, or a status", ...shown);
  });
  return held;
}

export { helper };
