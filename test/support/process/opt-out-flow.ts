import { at, type FlowNode, hook, type NodeRed } from "./node-red";

/**
 * A flow: POST /call, /transfer and /add reach the number in the body, POST /incident its people, and POST /control commands the
 * tenant. Each answers with the payload of the result, or with code and rule of the error.
 */
export function optOutFlow(tenant: Record<string, unknown>): FlowNode[] {
  const code = (id: string, func: string, ...wires: string[][]) => at(id, "function", { func, outputs: 1 }, ...wires);
  const to = { tenant: "tenant", toKind: "external", toNumber: "payload.number", toNumberType: "msg" };
  const call = { ...to, answerUrl: "https://example.com/answer", answerUrlType: "str" };
  const failed = `const { code, cause, message } = msg.error;
return { res: msg.res, payload: { code, rule: cause.rule, field: cause.field, message } };`;
  return [
    { id: "tab", type: "tab", label: "Opt-outs" },
    {
      ...{ id: "tenant", type: "telephony-tenant", name: "Acme", country: "VN", fromNumber: "0000000001" },
      ...{ credentials: { token: "token-of-the-opt-outs" }, ...tenant },
    },
    hook("/call", "call"),
    at("call", "call-out", call, ["passed"]),
    hook("/transfer", "transfer"),
    at("transfer", "call-transfer", to, ["passed"]),
    hook("/add", "add"),
    at("add", "call-add-user", to, ["passed"]),
    hook("/incident", "incident"),
    at("incident", "call-escalate", { ...call, ringFor: "1", rounds: "1" }, ["passed"], ["passed"]),
    code("passed", `msg.payload = { code: "ok" }; return msg;`, ["answer"]),
    hook("/control", "control"),
    at("control", "telephony-control", { tenant: "tenant" }, ["answer"]),
    at("catch", "catch", { scope: null }, ["failed"]),
    code("failed", failed, ["answer"]),
    at("answer", "http response", {}),
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: the assertions say what is there
async function ask(nodeRed: NodeRed, path: string, body: object): Promise<any> {
  return (await nodeRed.post(path, body)).json();
}

export const control = (nodeRed: NodeRed, command: string, more: object = {}) =>
  ask(nodeRed, "/control", { command, ...more });

/** The code of the result, with the rule if there is one. */
export async function resultOf(
  nodeRed: NodeRed,
  path: "/call" | "/transfer" | "/add",
  number: string,
): Promise<string> {
  const { code, rule } = await ask(nodeRed, path, { number, callId: "c" });
  return rule === undefined ? code : `${code} ${rule}`;
}

export const REFUSED = "ERR_BLOCKED opt-out";

/** The error of a transfer. */
export const errorOf = (nodeRed: NodeRed, number: string) => ask(nodeRed, "/transfer", { number, callId: "c" });
