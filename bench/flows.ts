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
  return [
    { id: TAB, type: "tab" },
    { id: "catch", type: "catch", ...place, scope: null, wires: [["failed"]] },
    { id: "failed", type: "bench-failed", ...place, wires: [] },
    ...nodes.flat(),
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

export function action(type: "call-stop" | "call-out", more: object = {}): FlowNode {
  return { id: type, type, tenant: "tenant", ...more };
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
