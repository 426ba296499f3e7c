import type { NodeDeclaration } from "../../runtime/register";
import type { Code } from "../../tenant/errors";
import { none, object, type Schema } from "./json-schema";

/** What every request can fail with. */
const OF_REQUESTS: readonly Code[] = [
  "ERR_CONFIG",
  "ERR_INPUT",
  "ERR_DROPPED",
  "ERR_BACKLOG_FULL",
  "ERR_DNS",
  "ERR_CONNECT",
  "ERR_CONNECT_TIMEOUT",
  "ERR_TLS",
  "ERR_AUTH",
  "ERR_REJECTED",
  "ERR_RATE_LIMITED",
  "ERR_REDIRECT",
  "ERR_CONNECTION_LOST",
  "ERR_TIMEOUT",
  "ERR_SERVER",
  "ERR_BAD_RESPONSE",
  "ERR_RESPONSE_TOO_LARGE",
];

/** The codes that a node can give. */
function codesOf(node: NodeDeclaration): readonly Code[] {
  switch (node.kind) {
    case "action": {
      const dials = Object.values(node.modes).some(({ fields }) => fields["to.number"]?.dialedBy !== undefined);
      const keepsKeys = node.repeat === "never";
      return [
        ...OF_REQUESTS,
        ...(keepsKeys ? (["ERR_ENGINE", "ERR_DUPLICATE"] as const) : []),
        ...(node.repeat === "freely" ? [] : (["ERR_EXPIRED"] as const)),
        ...(dials ? (["ERR_BLOCKED"] as const) : []),
        ...(node.lane === "callOut" ? (["ERR_CANCELLED"] as const) : []),
      ];
    }
    case "escalation":
      return [...OF_REQUESTS, "ERR_ENGINE", "ERR_BLOCKED"];
    case "gate":
    case "trigger":
      return ["ERR_CONFIG", "ERR_INPUT", "ERR_SCHEDULE", "ERR_DROPPED"];
    case "control":
      return ["ERR_CONFIG", "ERR_INPUT", "ERR_ENGINE"];
    case "tenant":
      return [];
  }
}

/** `msg.error` at a Catch node. docs/contract.md#failure */
export function errorSchema(node: NodeDeclaration): Schema {
  const codes = codesOf(node);
  if (codes.length === 0) return none("The node fails no message.");
  const cause = object(
    {
      action: { const: node.type },
      mode: { type: ["string", "null"] },
      sent: { enum: ["no", "maybe", "yes"] },
      outcome: { enum: ["not-applied", "rejected", "unknown"] },
      retryable: { type: "boolean" },
      attempts: { type: "integer" },
      waitedMs: { type: "number" },
      elapsedMs: { type: "number" },
      phase: { type: "string" },
      request: { type: "object" },
      field: { type: "string" },
      source: { type: "string" },
    },
    "action",
    "sent",
    "outcome",
    "retryable",
  );
  return object({ message: { type: "string" }, code: { enum: codes }, cause }, "message", "code", "cause");
}
