import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plan } from "../plan";
import { flush, report } from "./output";

/** A node as the runtime has it. */
export interface RuntimeNode {
  readonly id: string;
  /** In a subflow: the id in the subflow, while `id` is made by chance. */
  readonly _alias?: string;
  readonly type: string;
  readonly _inputCallback?: unknown;
  readonly _inputCallbacks?: unknown;
  receive(message?: object): void;
  send(message: object): void;
}

/** The part of Node-RED that a rehearsal uses. */
export interface NodeRed {
  init(server: object, settings: object): void;
  start(): Promise<void>;
  readonly httpNode: (request: IncomingMessage, response: ServerResponse) => void;
  readonly events: NodeJS.EventEmitter;
  readonly hooks: { add(hook: string, run: (event: never) => void): void };
  readonly nodes: {
    getNode(id: string): RuntimeNode | null;
    getContext(id: string): { set(key: string, value: unknown): void };
  };
}

interface Logged {
  readonly level: number;
  readonly id?: string;
  readonly _alias?: string;
  readonly msg?: unknown;
}

interface Completed {
  readonly node: { readonly node: RuntimeNode };
  readonly error?: Failure;
}

interface Received {
  readonly destination: { readonly id: string; readonly node?: RuntimeNode };
}

interface Failure extends Error {
  readonly code?: string;
  readonly cause?: { readonly sent?: string; readonly request?: unknown };
}

const ERROR = 20;
/** Nodes that place calls. */
const CALLERS = ["call-out", "call-escalate"];

/** Reports what becomes of messages. */
export function observe(RED: NodeRed, plan: Plan): void {
  RED.events.once("flows:started", () => {
    for (const [tab, values] of Object.entries(plan.flow))
      for (const [key, value] of Object.entries(values)) RED.nodes.getContext(tab).set(key, value);
  });
  RED.hooks.add("onComplete.rehearsal", ({ node: { node }, error }: Completed) => {
    if (!error || !CALLERS.includes(node.type) || error.cause?.sent !== "no") return;
    const { code = null, message: reason, cause } = error;
    report({
      kind: "notPlaced",
      at: Date.now(),
      nodeId: templateId(node),
      number: numberIn(cause.request),
      code,
      reason,
    });
  });
  let reportedAt = 0;
  RED.hooks.add("onReceive.rehearsal", ({ destination: { id, node } }: Received) => {
    const nodeId = node ? templateId(node) : id;
    if (plan.watch.includes(nodeId)) report({ kind: "reached", nodeId });
    // A node may not give control back: then it is known when it began.
    const at = Date.now();
    if (at === reportedAt) return;
    reportedAt = at;
    report({ kind: "at", at });
    flush();
  });
}

/** Whom a request would have called. */
function numberIn(request: unknown): string {
  const { "to.number": dotted, to } = Object(request);
  return String(dotted ?? Object(to).number ?? "");
}

/** Reports an error that no Catch node took. */
export function logged({ level, id, _alias, msg }: Logged): void {
  if (level !== ERROR || id === undefined) return;
  const code = Object(msg).code;
  report({
    kind: "error",
    at: Date.now(),
    nodeId: _alias ?? id,
    code: typeof code === "string" ? code : null,
    message: textOf(msg),
  });
}

function textOf(msg: unknown): string {
  // Errors of function nodes come from another realm.
  const { message } = Object(msg);
  const text = typeof message === "string" ? message : typeof msg === "string" ? msg : JSON.stringify(msg);
  return (text ?? "").slice(0, 2000);
}

/** The id of a node as the flow file has it. */
export function templateId({ id, _alias }: Pick<RuntimeNode, "id" | "_alias">): string {
  return _alias ?? id;
}
