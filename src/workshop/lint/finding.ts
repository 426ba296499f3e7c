import { oneLine } from "../../fields";
import type { FlowNode } from "./flow-node";

/** The rules, and whether breaking one is an error or a warning. */
export const RULES = {
  "unknown-property": "error",
  "wrong-choice": "error",
  "missing-tenant": "error",
  "unknown-tenant": "error",
  "missing-value": "error",
  "refused-value": "error",
  "uncaught-failure": "warning",
  "open-webhook": "warning",
  "no-deduplication-key": "warning",
  "delay-before-call": "warning",
  "waits-before-response": "warning",
  "number-not-text": "warning",
  "wrong-placeholder": "warning",
  "no-guard": "warning",
} as const;

export type Rule = keyof typeof RULES;

/** A mistake in a flow file. The message is one or more sentences and names the remedy. No text has control characters. */
export interface Finding {
  readonly file: string;
  readonly nodeId: string;
  /** The node's label on the canvas. */
  readonly node: string;
  readonly type: string;
  readonly rule: Rule;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** A finding whose node is still without its label. */
export function finding({ file, id, type }: FlowNode, rule: Rule, message: string): Finding {
  return {
    file,
    nodeId: oneLine(id),
    node: "",
    type: oneLine(type),
    rule,
    severity: RULES[rule],
    message: oneLine(message),
  };
}
