import { eventually } from "./eventually";
import { at, change, type FlowNode, hook, type NodeRed, page } from "./node-red";

/** The result of a message, as the flow received it. */
export interface Delivered {
  readonly id: string;
  /** The error's code, or `ok`. */
  readonly as: string;
  readonly outcome?: string;
}

/**
 * A flow: POST /go with a list of call ids transfers each call; what comes out, at the node's output or at Catch, is kept in the
 * global context, which survives a deploy, and shown at GET /delivered.
 */
export function ledgerFlow(
  tenant: Record<string, unknown>,
  { label = "Ledger", node = {}, tab = {} } = {},
): FlowNode[] {
  const keep = (id: string, as: string) =>
    change(id, `$append($globalContext("delivered"), [${as}])`, [], "delivered", "global");
  const to = { toKind: "internal", toKindType: "str", toNumber: "7", toNumberType: "str" };
  const transfer = { tenant: "tenant", callId: "payload", callIdType: "msg", ...to };
  return [
    { id: "tab", type: "tab", label, ...tab },
    {
      id: "tenant",
      type: "telephony-tenant",
      timeout: "120",
      credentials: { token: "token-of-the-ledger" },
      ...tenant,
    },
    hook("/go", "accepted", "split"),
    change("accepted", "{}", ["answer"]),
    at("split", "split", { splt: "\\n", spltType: "str", arraySplt: 1, arraySpltType: "len" }, ["transfer"]),
    { ...at("transfer", "call-transfer", transfer, ["ok"]), ...node },
    keep("ok", '{"id": callId, "as": "ok"}'),
    at("catch", "catch", { scope: ["transfer"] }, ["failed"]),
    keep("failed", '{"id": payload, "as": error.code, "outcome": error.cause.outcome}'),
    page("/delivered", "show"),
    change("show", '$append([], $globalContext("delivered"))', ["shown"]),
    at("shown", "http response", { headers: { "content-type": "application/json" } }),
    at("answer", "http response", {}),
  ];
}

/** Returns what has been delivered so far. */
export async function delivered(nodeRed: NodeRed): Promise<Delivered[]> {
  const answer = await nodeRed.get("/delivered");
  const text = await answer.text();
  return text === "" ? [] : (JSON.parse(text) as Delivered[]);
}

/** Waits until that many messages have been delivered. */
export function deliveredAll(nodeRed: NodeRed, count: number): Promise<Delivered[]> {
  return eventually(async () => {
    const all = await delivered(nodeRed);
    return all.length >= count ? all : undefined;
  });
}
