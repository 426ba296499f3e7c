import type { Guarded } from "../../../../src/client";
import { NumberGuard } from "../../../../src/client/guard/number-guard";
import { type Source, ValueError } from "../../../../src/fields";

export interface Rules {
  readonly country?: string;
  readonly allow?: unknown;
  readonly block?: unknown;
  readonly perNumber?: number;
}

const fixed = (value: unknown): Source => ({ label: "the dialog", fixed: true, read: () => value });

export function newGuard({ country = "", allow = [], block = [], perNumber = 0 }: Rules): NumberGuard {
  return new NumberGuard({ country, perNumber, perNumberMs: 3_600_000 }, { allow: fixed(allow), block: fixed(block) });
}

export function callTo(number: string, type = "external"): Guarded {
  return {
    action: "call-out",
    request: { method: "POST", path: "/api/v1/call/call-out", body: { "to.type": type, "to.number": number } },
  };
}

const guards = new Map<string, NumberGuard>();

/** The same guard for the same rules. */
export function guardWith(rules: Rules): NumberGuard {
  const key = JSON.stringify(rules);
  const guard = guards.get(key) ?? newGuard(rules);
  guards.set(key, guard);
  return guard;
}

/** Finds the rule by which a guard refuses a number, or the field of a bad setting; empty if it is called. */
export function guardOf(rules: Rules): (number: string, type?: string) => Promise<string> {
  return async (number, type) => {
    try {
      const problem = await guardWith(rules).check(callTo(number, type));
      return problem?.details.rule ?? problem?.details.field ?? "";
    } catch (error) {
      if (error instanceof ValueError) return error.path;
      throw error;
    }
  };
}
