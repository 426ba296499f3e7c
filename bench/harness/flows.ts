import type { FlowNode } from "../../test/support/process/node-red";
import { PATHS, type Subject, TOKEN } from "./subject";

export type { FlowNode };

const place = { z: "tab", x: 100, y: 100 };

/** A tab with these nodes. An error ends the benchmark. */
export function tab(nodes: readonly FlowNode[]): FlowNode[] {
  return [
    { id: "tab", type: "tab" },
    { ...place, id: "catch", type: "catch", scope: null, wires: [["fail"]] },
    { ...place, id: "fail", type: "bench-fail", wires: [] },
    ...nodes,
  ];
}

/** A node wired from and back to a loop node, whose id is `loop <id>`. */
export function loop(node: FlowNode): FlowNode[] {
  const id = `loop ${node.id}`;
  return [
    { ...place, id, type: "bench-loop", wires: [[node.id]] },
    // Both outputs of a gate; nodes with one output ignore the second.
    { ...place, ...node, wires: [[id], [id]] },
  ];
}

/** @param more where its calls wait: in memory, as those of other clients, unless it says otherwise */
export function tenant(origin: string, more: { engine?: string; redisUrl?: string } = {}): FlowNode {
  const { engine = "memory", redisUrl } = more;
  const base = { mode: "live", url: origin, engine, concurrency: "256", fromNumber: "0000000000", fromAlias: "" };
  return { id: "tenant", type: "telephony-tenant", ...base, credentials: { token: TOKEN, redisUrl } };
}

export function action(type: Subject): FlowNode {
  return { id: type, type, tenant: "tenant" };
}

/** The core node with the same request, with keep-alive. */
export function httpRequest(subject: Subject, origin: string): FlowNode {
  const headers = Object.entries({ Authentication: `Bearer ${TOKEN}`, Accept: "application/json" }).map(
    ([keyValue, valueValue]) => ({ keyType: "other", keyValue, valueType: "other", valueValue }),
  );
  const url = origin + PATHS[subject];
  return { id: `http ${subject}`, type: "http request", method: "POST", url, ret: "obj", persist: true, headers };
}

/** A node that only passes messages on: the cost of one hop between nodes. */
export const pass: FlowNode = { id: "pass", type: "bench-pass" };
