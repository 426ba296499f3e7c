import { ok } from "node:assert/strict";
import { alone } from "../../support/memory/alone";
import type { Calls } from "../../support/own-calls";

/**
 * What a path costs is also how far it walks. These are the counts of November 2026 and 12 more: a promise may cost a few calls,
 * and what costs more belongs elsewhere. Lower them when a path has become shorter.
 */
const LIMITS = {
  "call-stop": 247,
  "call-out in memory": 507,
  "call-out in a file": 735,
  "business-hour-gate": 54,
  "webhook, call-out, answer": 603,
};

describe("functions of ours that the 20th message calls", () => {
  let found: Readonly<Record<string, Calls>>;
  before(async () => {
    found = await alone("../own-calls.js");
  });

  for (const [path, limit] of Object.entries(LIMITS))
    it(`are at most ${limit}: ${path}`, () => {
      const calls = Object.entries(found[path] ?? {});
      const sum = calls.reduce((all, [, count]) => all + count, 0);
      ok(sum > 0 && sum <= limit, `${sum} calls:${calls.map(([name, count]) => `\n${count} ${name}`).join("")}`);
    });
});
