import { TARGETS, TOKEN } from "./driver/subject";

/** A node of a flow file. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

const TAB = "tab";
const place = { z: TAB, x: 100, y: 100 };

/** A tab whose errors end the benchmark. */
export function tab(...nodes: (FlowNode | readonly FlowNode[])[]): FlowNode[] {
  return [...caught("failed"), { id: "failed", type: "bench-failed", ...place, wires: [] }, ...nodes.flat()];
}

function caught(by: string): FlowNode[] {
  return [
    { id: TAB, type: "tab" },
    { id: "catch", type: "catch", ...place, scope: null, wires: [[by]] },
  ];
}

export function tenant(origin: string, settings: object = {}): FlowNode {
  const standard = { mode: "live", url: origin, concurrency: "256", fromNumber: "0000000000", fromAlias: "" };
  return { id: "tenant", type: "telephony-tenant", ...standard, credentials: { token: TOKEN }, ...settings };
}

/** A node between a source and a sink; the source bears the node's id with `loop ` in front. */
export function loop(node: FlowNode, outputs = 1): FlowNode[] {
  const source = `loop ${node.id}`;
  return [
    { id: source, type: "bench-loop", ...place, wires: [[node.id]] },
    { ...place, ...node, wires: Array.from({ length: outputs }, () => [source]) },
  ];
}

/** Nodes one behind the other; the source bears the first one's id with `loop ` in front. */
export function row(nodes: readonly FlowNode[]): FlowNode[] {
  const source = `loop ${nodes[0]?.id}`;
  const wired = nodes.map((node, index) => {
    const next = [nodes[index + 1]?.id ?? source];
    return { ...place, ...node, wires: [next, next] };
  });
  return [{ id: source, type: "bench-loop", ...place, wires: [[nodes[0]?.id ?? source]] }, ...wired];
}

/** A node whose dropped messages come back as those sent do, and the control node that drops them. */
export function burst(tenantNode: FlowNode, node: FlowNode): FlowNode[] {
  const control = { id: "control", type: "telephony-control", tenant: tenantNode.id };
  return [...caught(`loop ${node.id}`), tenantNode, ...loop(node), ...loop(control)];
}

/** The same node many times over, each with an id of its own, wired to nothing. */
export function many(count: number, make: (index: number) => FlowNode): FlowNode[] {
  return Array.from({ length: count }, (_, index) => {
    const node = make(index);
    return { ...place, ...node, id: `${node.id} ${index}`, wires: [[]] };
  });
}

/** Tenants, and call nodes shared out among them. */
export function tenants(count: number, nodes: number, origin: string): FlowNode[][] {
  const configs = Array.from({ length: count }, (_, index) => tenant(origin, { id: `tenant ${index}` }));
  const types = ["call-stop", "call-out"] as const;
  const actions = many(nodes, (index) =>
    action(types[index % 2] ?? "call-stop", { tenant: `tenant ${index % count}` }),
  );
  return [configs, actions];
}

export function action(type: "call-stop" | "call-out", more: object = {}): FlowNode {
  return { id: type, type, tenant: "tenant", ...more };
}

/** The same requests from a node of a few lines around undici. */
export function bare(subject: "call-stop" | "call-out", origin: string): FlowNode {
  return { id: `bare ${subject}`, type: "bench-bare", subject, origin };
}

/** The core node set up to do the same, with its connections kept. */
export function httpRequest(subject: "call-stop" | "call-out", origin: string): FlowNode {
  const header = (keyValue: string, valueValue: string) => ({
    keyType: "other",
    keyValue,
    valueType: "other",
    valueValue,
  });
  return {
    id: `http ${subject}`,
    type: "http request",
    method: "POST",
    url: origin + TARGETS[subject],
    ret: "obj",
    persist: true,
    headers: [header("Authentication", `Bearer ${TOKEN}`), header("Accept", "application/json")],
  };
}

/** Working hours that are open and closed in turn; the benchmark's instants come with the messages. */
const WEEK = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));

export function gate(more: object = {}): FlowNode {
  return { id: "gate", type: "business-hour-gate", source: "value", schedule: WEEK, scheduleType: "list", ...more };
}

/** The core node with two ways out, as a gate has. */
export const coreSwitch: FlowNode = {
  id: "switch",
  type: "switch",
  property: "payload",
  propertyType: "msg",
  rules: [{ t: "btwn", v: "8", vt: "num", v2: "17", v2t: "num" }, { t: "else" }],
  checkall: "false",
  outputs: 2,
};

/** What a hop from one node to the next costs without anything in between. */
export const pass: FlowNode = { id: "pass", type: "bench-pass" };
