/** The rules, and whether breaking one is an error or a warning. */
export const RULES = {
  "unknown-type": "error",
  "unknown-property": "error",
  "missing-type": "error",
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
  "twice-on-path": "warning",
  "wired-to-nothing": "warning",
  "no-response": "warning",
  "nobody-acknowledges": "warning",
  "person-twice": "warning",
} as const;

export type Rule = keyof typeof RULES;
