import type { NodeAPI } from "node-red";
import { type Failed, type Mode, NO_TIMINGS, type TenantError } from "../../client";
import { maskNumbers } from "../../fields/quote";
import { NoSchedule } from "../node-red/no-schedule";
import { type Actor, sentence } from "../node-red/texts";
import type { Done } from "./pending";

/** The facts that a flow may act on: frozen plain JSON, documented in docs/contract/messages.md and in the help of every node. */
type Cause = Readonly<Record<string, unknown>>;

/** The properties that decide whether a message may be sent again. They come first, because the debug sidebar shows 80 characters. */
const FIRST = ["outcome", "retryable", "sent", "phase"];

/** Facts that are not for a log: who was called, and with which words. A Catch node has them. */
const UNSHOWN = ["request", "rung"];

/** The error for a Catch node: `code`, `cause` and a sentence. A stack would carry the server's paths into the flow. */
class NodeFailure extends Error {
  constructor(
    message: string,
    readonly code: string,
    override readonly cause: Cause,
  ) {
    super(message);
    this.name = code;
    // `String(error)` needs the name; as an enumerable property it would travel with the message.
    Object.defineProperty(this, "name", { value: code, enumerable: false });
    delete this.stack;
  }
}

/** A node, as far as Node-RED's types lack it. */
interface InFlow {
  readonly _flow: { handleError(node: object, error: Error, message: object): boolean };
  error?(error: Error, message: object): unknown;
}

/** Fails a message with `done`: Catch nodes get it, but without one the log has no line. */
export function failUnlogged(node: object, error: Error, done: Done): void {
  const failing = node as InFlow;
  failing.error = (given, message) => failing._flow.handleError(node, given, message);
  done(error);
  delete failing.error;
}

export function failure(
  RED: NodeAPI,
  actor: Actor,
  mode: Mode | null,
  { error, summary, timings }: Failed,
): NodeFailure {
  const { sent, outcome, retryable, phase, details } = error;
  const request = Object.keys(summary).length > 0 ? { request: summary } : {};
  const about = { action: actor.type, mode, sent, outcome, retryable, ...timings, phase, ...request };
  const cause = frozenCause({ ...about, ...actor.facts, ...details });
  return new NodeFailure(sentence(RED, error, { ...actor, mode }), error.code, cause);
}

/** The result of a message that led to no request, other than reading a schedule. */
export function notBegun(error: TenantError): Failed {
  return { ok: false, error, summary: {}, timings: error instanceof NoSchedule ? error.timings : NO_TIMINGS };
}

/**
 * Freezes a cause. Where Node-RED prints it as text, as the debug sidebar does with an error that no Catch node takes, its
 * facts are to be read instead of `[object Object]`.
 */
function frozenCause(facts: Record<string, unknown>): Cause {
  Object.defineProperty(facts, "toString", { value: () => inWords(facts) });
  return freeze(facts);
}

function inWords(facts: Cause): string {
  const rest = Object.keys(facts).filter((name) => !FIRST.includes(name) && !UNSHOWN.includes(name));
  return [...FIRST, ...rest].map((name) => `${name}: ${shown(facts[name])}`).join(", ");
}

function shown(value: unknown): string {
  if (typeof value === "string") return maskNumbers(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freeze(inner);
  }
  return value;
}
