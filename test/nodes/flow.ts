import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Node, NodeInitializer, NodeMessage } from "node-red";
import helper from "node-red-node-test-helper";
import callAddUser = require("../../nodes/call-add-user");
import callOut = require("../../nodes/call-out");
import callStop = require("../../nodes/call-stop");
import callTransfer = require("../../nodes/call-transfer");
import telephonyTenant = require("../../nodes/telephony-tenant");

helper.init(require.resolve("node-red"));

export const nodes = [telephonyTenant, callOut, callStop, callTransfer, callAddUser] as unknown as NodeInitializer[];

/** A request as the tenant received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The envelope of the interface's call-action samples. */
export const ACCEPTED = { success: true, code: 200, locale: "en", message: "OK", data: null };

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tenant on loopback that records what it receives and answers as told. */
export async function tenantServer(answer: (request: Received, index: number) => Reply | Promise<Reply> = () => ({})) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
      received.push(seen);
      void Promise.resolve(answer(seen, received.length - 1)).then(({ status = 200, body = ACCEPTED, headers: extra = {} }) => {
        response.writeHead(status, { "content-type": "application/json", ...extra });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type Flow = Record<string, unknown>[];

/** A flow as somebody would write it by hand: a tenant, the node under test, and what listens to both its ends. */
export function flowWith(url: string, node: Record<string, unknown>, tenant: Record<string, unknown> = {}): Flow {
  return [
    { id: "f1", type: "tab", label: "test" },
    { id: "t1", type: "telephony-tenant", name: "", url, ...tenant },
    { id: "n1", z: "f1", x: 100, y: 100, tenant: "t1", wires: [["out"]], ...node },
    { id: "out", z: "f1", x: 300, y: 100, type: "helper", wires: [] },
    { id: "c1", z: "f1", x: 100, y: 200, type: "catch", scope: ["n1"], uncaught: false, wires: [["caught"]] },
    { id: "caught", z: "f1", x: 300, y: 200, type: "helper", wires: [] },
  ];
}

export const CREDENTIALS = { t1: { token: "secret-token" } };

export type Message = NodeMessage & Record<string, any>;

/** Loads a flow into a real Node-RED runtime. */
export async function load(flow: Flow, credentials: object = CREDENTIALS): Promise<void> {
  const catchNode = require("@node-red/nodes/core/common/25-catch.js") as NodeInitializer;
  await helper.load([...nodes, catchNode], flow as never, credentials as never);
}

/** Sends a message into the node under test and waits for what comes out, at its output or at the Catch node. */
export function send(message: object, id = "n1"): Promise<{ out?: Message; caught?: Message }> {
  return new Promise((resolve) => {
    const end = (result: { out?: Message; caught?: Message }) => {
      out.off("input", onOut);
      caught.off("input", onCaught);
      resolve(result);
    };
    const onOut = (out: Message) => end({ out });
    const onCaught = (caught: Message) => end({ caught });
    const out = helper.getNode("out") as unknown as Node;
    const caught = helper.getNode("caught") as unknown as Node;
    out.on("input", onOut as never);
    caught.on("input", onCaught as never);
    (helper.getNode(id) as unknown as Node).receive(message as NodeMessage);
  });
}

export { helper };
