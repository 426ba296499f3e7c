import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Node, NodeDef } from "node-red";
import { attempt } from "../../../json/rules";
import type { Plan } from "../prepare";
import { Deliveries } from "./deliveries";
import { report, reportReached } from "./output";

interface Identified {
  readonly id: string;
  /** In a subflow: the id in the subflow, while `id` is made by chance. */
  readonly _alias?: string;
}

/** A node as the runtime has it. */
export interface RuntimeNode extends Identified {
  readonly type: string;
  /** Whether it only stands for a node that is not run. */
  readonly isOutside?: true;
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
  readonly util: {
    getMessageProperty(message: object, path: string): unknown;
    cloneMessage(message: unknown): unknown;
  };
  readonly nodes: {
    createNode(node: Node, config: NodeDef): void;
    registerType(nodeSet: string, type: string, start: (this: Node, config: NodeDef) => void): void;
    getNode(id: string): RuntimeNode | null;
    /** The node set that has a type, also if it could not be loaded. */
    getNodeInfo(type: string): object | null;
    getContext(id: string): { set(key: string, value: unknown): void };
  };
}

interface Logged extends Partial<Identified> {
  readonly level: number;
  readonly type?: string;
  /** Of the node; absent where there is none, because its constructor failed. */
  readonly path?: string;
  readonly msg?: unknown;
}

interface Completed {
  readonly node: { readonly node: RuntimeNode };
  readonly error?: Error & {
    readonly code?: string;
    readonly cause?: { readonly sent?: string; readonly request?: unknown };
  };
  readonly msg: { readonly _msgid?: string; readonly businessHour?: unknown };
}

interface Received {
  readonly destination: { readonly id: string; readonly node?: RuntimeNode };
}

const ERROR = 20;
const GATE = "business-hour-gate";
const DUPLICATE = "ERR_DUPLICATE";
/** Nodes that place calls. */
const CALLERS = ["call-out", "call-list", "call-escalate"];

export function observe(RED: NodeRed, plan: Plan): void {
  RED.events.once("flows:started", () => {
    for (const [tab, values] of Object.entries(plan.flow))
      for (const [key, value] of Object.entries(values)) RED.nodes.getContext(tab).set(key, value);
  });
  let isClosed = false;
  const repeated = new Set<string>();
  subscribe("cloud-telephony:request:end", (ended) => {
    const { node, message, code } = ended as Readonly<Record<"node" | "message" | "code", unknown>>;
    if (code === DUPLICATE) repeated.add(`${node} ${message}`);
  });
  RED.hooks.add("onComplete.rehearsal", ({ node: { node }, error, msg }: Completed) => {
    if (node.type === GATE && !isClosed) isClosed = reportClosed(node, msg.businessHour);
    if (!CALLERS.includes(node.type)) return;
    const isRepeated = repeated.delete(`${node.id} ${msg._msgid}`);
    const { code = DUPLICATE, message: reason = "repeated", cause = { sent: "no" } } = error ?? {};
    if (cause.sent !== "no" || (!error && !isRepeated)) return;
    const nodeId = templateId(node);
    const number = numberIn(cause.request) || numberOf(RED, plan.numbers[nodeId], msg);
    report({ kind: "notPlaced", at: Date.now(), nodeId, number, code, reason });
  });
  const deliveries = new Deliveries();
  RED.hooks.add("onReceive.rehearsal", ({ destination: { id, node } }: Received) => {
    const nodeId = node ? templateId(node) : id;
    if (plan.watch.includes(nodeId)) reportReached(nodeId);
    deliveries.note(nodeId);
  });
}

/** Reports the gate that has let a message pass as closed, if it has. */
function reportClosed(gate: RuntimeNode, businessHour: unknown): boolean {
  const { open, opensAt } = Object(businessHour);
  if (open !== false) return false;
  const about = { at: Date.now(), nodeId: templateId(gate) };
  report({ kind: "closed", ...about, opensAt: typeof opensAt === "string" ? opensAt : null });
  return true;
}

/** The number that a message without a request would have called, if the node's dialog or the message has it. */
function numberOf(RED: NodeRed, number: Plan["numbers"][string] | undefined, msg: object): string {
  const { value, type } = number ?? {};
  const found =
    type === "msg" ? attempt(() => RED.util.getMessageProperty(msg, String(value))) : type === "str" && value;
  return ["string", "number"].includes(typeof found) ? String(found) : "";
}

/** The number that the body of a request calls. */
export function numberIn(request: unknown): string {
  const { "to.number": dotted, to } = Object(request);
  return String(dotted ?? Object(to).number ?? "");
}

/** Reports an error that no Catch node took. */
export function logged({ level, id, _alias, type, path, msg }: Logged): void {
  if (level !== ERROR || id === undefined) return;
  // Errors of function nodes come from another realm.
  const { code: given, message } = Object(msg);
  const code = typeof given === "string" ? given : null;
  const text = [message, msg].find((each) => typeof each === "string") ?? JSON.stringify(msg) ?? "";
  const about = { nodeId: _alias ?? id, message: text.slice(0, 2000) };
  report({ kind: "error", at: Date.now(), code, ...about });
  if (type !== undefined && path === undefined) report({ kind: "not started", ...about });
}

/** The id of a node as the flow file has it. */
export function templateId({ id, _alias }: Identified): string {
  return _alias ?? id;
}

export function templateIdOf(RED: NodeRed, id: string): string {
  return templateId(RED.nodes.getNode(id) ?? { id });
}
