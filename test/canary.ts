import assert from "node:assert/strict";
import { inspect } from "node:util";

/** Every token that the tests give to a tenant; none may be found anywhere but in a request to that tenant. */
const TOKENS = /secret-token|other-token|token-of-the-[a-z-]+|c2VjcmV0LXRva2Vu|secret%2Dtoken/i;

/** Looks through what people and flows can see, errors with all their properties. */
export function assertNoToken(where: string, ...seen: unknown[]): void {
  const text = seen
    .map((value) => (typeof value === "string" ? value : inspect(value, { depth: 12, showHidden: true })))
    .join("\n");
  assert.doesNotMatch(text, TOKENS, `a token in ${where}`);
}
