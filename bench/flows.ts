import { operations } from "../src/tenant";
import type { FlowNode } from "../test/support/process/node-red";

export type { FlowNode };

/** The requests that are measured: the smallest of the interface, and the largest that is common. */
export const SUBJECTS = ["call-stop", "call-out"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const TOKEN = "token-of-the-benchmark";
export const PATHS = { "call-stop": operations.stopCall.path, "call-out": operations.callOut.path } as const;

const TEXTS = [
  "Hello, this is a reminder from the dental practice.",
  "Your appointment is tomorrow at nine thirty.",
  "Thank you, and good bye.",
];
const ACTIONS = TEXTS.map((text) => ({ action: "talk", text, voice: "female", speed: 0 }));

/** `msg.payload` for the node with its default fields. */
export const payloadOf: Readonly<Record<Subject, () => object>> = {
  "call-stop": () => ({ callId: "1700000000.12345" }),
  "call-out": () => ({
    from: { number: "0000000000" },
    to: { number: "0000000001", alias: "Customer" },
    actions: ACTIONS,
  }),
};

/** The body that the node makes of that payload. */
export const bodyOf: Readonly<Record<Subject, () => object>> = {
  "call-stop": payloadOf["call-stop"],
  "call-out": () => ({
    "from.type": "internal",
    "from.number": "0000000000",
    "to.type": "external",
    "to.number": "0000000001",
    "to.alias": "Customer",
    actions: ACTIONS,
  }),
};

const place = { z: "tab", x: 100, y: 100 };

/**
 * A tab with these nodes.
 * @param onError the node that receives what a Catch node catches: `bench-fail` ends the benchmark
 */
export function tab(nodes: readonly FlowNode[], onError = "bench-fail"): FlowNode[] {
  return [
    { id: "tab", type: "tab" },
    { ...place, id: "catch", type: "catch", scope: null, wires: [["error"]] },
    { ...place, id: "error", type: onError, wires: [] },
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

/** @param more properties of the tenant; by default its calls wait in memory, as those of other clients do */
export function tenant(origin: string, more: Record<string, unknown> & { redisUrl?: string } = {}): FlowNode {
  const { redisUrl, ...own } = more;
  const base = { mode: "live", url: origin, engine: "memory", concurrency: "256", fromNumber: "0000000000", ...own };
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
