import { eventually } from "./eventually";
import type { FlowNode, NodeRed } from "./node-red";

/** The result of a message, as the flow received it. */
export interface Delivered {
  readonly id: string;
  /** The error's code, or `ok`. */
  readonly as: string;
  readonly outcome?: string;
}

const PLACE = { z: "tab", x: 100, y: 100 };

/**
 * POST /go with a list of call ids transfers each call; what comes out, at the node's output or at Catch, is kept in the
 * global context, which survives a deploy, and shown at GET /delivered.
 */
export function ledgerFlow(
  tenant: Record<string, unknown>,
  { label = "Ledger", node = {}, tab = {} } = {},
): FlowNode[] {
  const keep = (expression: string) => ({
    type: "change",
    rules: [
      {
        t: "set",
        p: "delivered",
        pt: "global",
        to: `$append($globalContext("delivered"), [${expression}])`,
        tot: "jsonata",
      },
    ],
    wires: [[]],
  });
  return [
    { id: "tab", type: "tab", label, ...tab },
    { id: "tenant", type: "telephony-tenant", credentials: { token: "token-of-the-ledger" }, ...tenant },
    { ...PLACE, id: "go", type: "http in", method: "post", url: "/go", wires: [["accepted", "split"]] },
    {
      ...PLACE,
      id: "accepted",
      type: "change",
      rules: [{ t: "set", p: "payload", pt: "msg", to: "{}", tot: "json" }],
      wires: [["answered"]],
    },
    { ...PLACE, id: "answered", type: "http response", wires: [] },
    {
      ...PLACE,
      id: "split",
      type: "split",
      splt: "\\n",
      spltType: "str",
      arraySplt: 1,
      arraySpltType: "len",
      wires: [["transfer"]],
    },
    {
      ...PLACE,
      id: "transfer",
      type: "call-transfer",
      tenant: "tenant",
      callId: "payload",
      callIdType: "msg",
      toKind: "internal",
      toKindType: "str",
      toNumber: "7",
      toNumberType: "str",
      wires: [["ok"]],
      ...node,
    },
    { ...PLACE, id: "ok", ...keep('{"id": callId, "as": "ok"}') },
    { ...PLACE, id: "catch", type: "catch", scope: ["transfer"], wires: [["failed"]] },
    { ...PLACE, id: "failed", ...keep('{"id": payload, "as": error.code, "outcome": error.cause.outcome}') },
    { ...PLACE, id: "look", type: "http in", method: "get", url: "/delivered", wires: [["show"]] },
    {
      ...PLACE,
      id: "show",
      type: "change",
      rules: [{ t: "set", p: "payload", pt: "msg", to: '$append([], $globalContext("delivered"))', tot: "jsonata" }],
      wires: [["shown"]],
    },
    { ...PLACE, id: "shown", type: "http response", headers: { "content-type": "application/json" }, wires: [] },
  ];
}

/** What has been delivered so far. */
export async function delivered(nodeRed: NodeRed): Promise<Delivered[]> {
  const answer = await nodeRed.get("/delivered");
  const text = await answer.text();
  return text === "" ? [] : (JSON.parse(text) as Delivered[]);
}

/** Waits until that many messages have been delivered, and then a little longer for one too many. */
export async function deliveredAll(nodeRed: NodeRed, count: number): Promise<Delivered[]> {
  await eventually(async () => ((await delivered(nodeRed)).length >= count ? true : undefined));
  await new Promise((resolve) => setTimeout(resolve, 300));
  return delivered(nodeRed);
}
