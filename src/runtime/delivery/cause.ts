import { maskNumbers } from "../../fields/quote";

/** The facts that a flow may act on: frozen plain JSON, documented in docs/contract/messages.md and in the help of every node. */
export type Cause = Readonly<Record<string, unknown>>;

/** The properties that decide whether a message may be sent again. They come first, because the debug sidebar shows 80 characters. */
const FIRST = ["outcome", "retryable", "sent", "phase"];

/** Facts that are not for a log: who was called, and with which words. A Catch node has them. */
const UNSHOWN = ["request", "rung"];

/**
 * Freezes a cause. Where Node-RED prints it as text, as the debug sidebar does with an error that no Catch node takes, its
 * facts are to be read instead of `[object Object]`.
 */
export function frozenCause(facts: Record<string, unknown>): Cause {
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
