import { ok } from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { alone } from "../../support/memory/alone";
import type { Calls } from "../../support/own-calls";
import { root } from "../../support/root";

/**
 * The costs of paths. A cost is also how far the path walks: the way back has six hands (docs/message-path.md). What costs more
 * belongs elsewhere; lower them when a path has become shorter.
 */
const LIMITS = {
  "call-stop": 236,
  "call-out in memory": 490,
  "call-out in a file": 720,
  "business-hour-gate": 42,
  "webhook, call-out, answer": 600,
};

/** The shortest run of each path on this machine, under its name and limit. A failure names what came since. */
const RECORDS = join(root, "node_modules/.cache/own-calls.json");

const sumOf = (calls: Calls) => Object.values(calls).reduce((all, count) => all + count, 0);

function shortest(): Record<string, Calls> {
  try {
    return JSON.parse(readFileSync(RECORDS, "utf8"));
  } catch {
    return {};
  }
}

function keep(records: Readonly<Record<string, Calls>>): void {
  mkdirSync(dirname(RECORDS), { recursive: true });
  rmSync(RECORDS, { force: true });
  writeFileSync(RECORDS, JSON.stringify(records));
}

describe("functions of ours that the 20th message calls", () => {
  let found: Readonly<Record<string, Calls>>;
  before(async () => {
    found = await alone("../own-calls.js");
  });

  for (const [path, limit] of Object.entries(LIMITS))
    it(`are at most ${limit}: ${path}`, () => {
      const [calls, records, name] = [found[path] ?? {}, shortest(), `${path} ≤ ${limit}`];
      const [sum, record] = [sumOf(calls), records[name]];
      if (sum > 0 && sum <= limit && sum <= sumOf(record ?? calls)) keep({ ...records, [name]: calls });
      const came = Object.entries(calls)
        .map(([called, count]) => ({ called, count, was: record?.[called] ?? 0 }))
        .filter(({ count, was }) => count > was)
        .map(({ called, count, was }) => `\n${count} ${called}${was > 0 ? `, ${was} before` : ""}`);
      const since = record ? `more often than when there were ${sumOf(record)}` : "all, as none passed here before";
      ok(sum > 0 && sum <= limit, `${sum} calls; ${since}:${came.join("")}`);
    });
});
