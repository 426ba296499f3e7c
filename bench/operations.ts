import type { Node, NodeMessage } from "node-red";
import { Pool } from "undici";
import { CALL_REQUESTS } from "../test/interface/requests";
import type { Embedded } from "../test/soak/support/embedded";
import type { FlowNode } from "../test/support/process/node-red";

/** The operation that is measured: one message through a node, or the bare thing that it is compared with. */
export type Operation = () => Promise<void>;

const TEXTS = ["Hello, this is a reminder.", "Your appointment is tomorrow at nine thirty.", "Good bye."];
const actions = TEXTS.map((text) => ({ action: "talk", text, voice: "female", speed: 0 }));

/** A request of the interface: the payload that makes it, and its body, as new objects each time. */
function request(name: string, more = {}) {
  const { path = "", payload, body } = CALL_REQUESTS.find(({ title }) => title === name) ?? {};
  return { path, payload: () => ({ ...payload, ...more }), body: () => ({ ...body, ...more }) };
}
export const [stop, out] = [request("call-stop"), request("call-out", { actions })] as const;

const token = "token-of-the-benchmark";

/** A call-out that is named after the engine of its tenant. */
export function callOut(url: string, engine: "memory" | "file"): FlowNode[] {
  const tenant = { id: `of ${engine}`, type: "telephony-tenant", url, engine, concurrency: "256", backlog: "200000" };
  return [
    { ...tenant, credentials: { token } },
    { id: engine, type: "call-out", tenant: tenant.id },
  ];
}

const ended = new Map<string, () => void>();
let messages = 0;

/** Deploys nodes whose messages end in this process. */
export async function deploy(nodeRed: Embedded, nodes: readonly FlowNode[]): Promise<void> {
  const place = { z: "tab", x: 100, y: 100 };
  await nodeRed.deploy([
    { id: "tab", type: "tab" },
    { ...place, id: "catch", type: "catch", scope: null, wires: [["failed"]] },
    ...["failed", "out"].map((id) => ({ ...place, id, type: "junction", wires: [] })),
    // Both outputs of a gate; nodes with one output ignore the second.
    ...nodes.map((node) =>
      /-(tenant|config)$/.test(node.type) ? node : { ...place, wires: [["out"], ["out"]], ...node },
    ),
  ]);
  nodeOf("out").receive = (message) => {
    const id = String((message as NodeMessage)._msgid);
    ended.get(id)?.();
    ended.delete(id);
  };
  nodeOf("failed").receive = (message) => {
    console.error(message);
    process.exit(1);
  };
}

/** Sends a message through a node. It has an id, so that no node has to make one. */
export function through(id: string, payload: () => unknown): Operation {
  const node = nodeOf(id);
  return () =>
    new Promise((resolve) => {
      const _msgid = `message ${messages++}`;
      ended.set(_msgid, resolve);
      node.receive({ _msgid, payload: payload() });
    });
}

function nodeOf(id: string): Node {
  return require("@node-red/runtime/lib/nodes/index.js").getNode(id);
}

/** The same request by undici's pool alone: JSON is written and read. */
export function byUndici(origin: string, { path, body }: typeof stop): Operation {
  const pool = new Pool(origin, { connections: 256, pipelining: 1 });
  const own = { Authentication: `Bearer ${token}`, "accept-encoding": "identity" };
  const headers = { ...own, accept: "application/json", "content-type": "application/json" };
  return async () => {
    const answer = await pool.request({ method: "POST", path, headers, body: JSON.stringify(body()) });
    const { success } = (await answer.body.json()) as { success: boolean };
    if (!success || answer.statusCode !== 200) throw new Error(`The tenant answered ${answer.statusCode}`);
  };
}
