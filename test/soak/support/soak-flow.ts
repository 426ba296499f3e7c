import { CALL_ACTIONS } from "../../support/node-types";
import type { FlowNode } from "../../support/process/node-red";
import type { Way } from "./embedded";

export const TOKEN = "token-of-the-soak";

const place = { z: "tab", x: 100, y: 100 };

const sink = (way: Way): FlowNode => ({
  ...place,
  id: way,
  type: "function",
  func: `global.get("soak").ended(msg, "${way}");`,
  wires: [],
});

/** A flow with nodes of one tenant in parallel. Output, Catch and Complete of all report to the soak. */
export function soakFlow(url: string, nodes: readonly FlowNode[], label = "Soak"): FlowNode[] {
  const scope = nodes.map(({ id }) => id);
  return [
    { id: "tab", type: "tab", label },
    { id: "tenant", type: "telephony-tenant", url, concurrency: "64", credentials: { token: TOKEN } },
    // Both outputs of a gate; nodes with one output ignore the second.
    ...nodes.map((node) => ({ ...place, tenant: "tenant", wires: [["out"], ["out"]], ...node })),
    { ...place, id: "catching", type: "catch", scope, uncaught: false, wires: [["caught"]] },
    { ...place, id: "completing", type: "complete", scope, wires: [["completed"]] },
    sink("out"),
    sink("caught"),
    sink("completed"),
  ];
}

export const callActions: readonly FlowNode[] = CALL_ACTIONS.map((type) => ({ id: type, type }));
