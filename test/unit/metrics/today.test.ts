import { deepStrictEqual, doesNotMatch, strictEqual } from "node:assert/strict";
import { type JobResult, notSent } from "../../../src/client";
import { TenantError } from "../../../src/client/errors";
import { Today } from "../../../src/runtime/metrics/today";

const TIMES = { attempts: 1, waitedMs: 0, elapsedMs: 1 };
const summary = { "to.number": "0901 234 567" };
const DONE = { ok: true, status: 200, envelope: null, data: null, summary, timings: TIMES } as JobResult;
const failed = (error: TenantError, of: object = summary): JobResult =>
  ({ ok: false, error, summary: of, timings: TIMES }) as JobResult;
const BLOCKED = notSent("ERR_BLOCKED", "queue", { rule: "opt-out", field: "to.number" });

describe("the calls of a tenant today", () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it("are counted by node, and those that were not placed are named with reason and masked number", () => {
    const today = new Today();
    for (const result of [DONE, DONE, failed(new TenantError("ERR_TIMEOUT", "headers", { sent: "maybe" }))])
      today.count("one", result);
    today.count("two", failed(BLOCKED, { to: { number: "+84901234567" } }));
    today.count(
      "one",
      failed(notSent("ERR_INPUT", "input", { field: "to.number", params: { value: "0901234567" } }), {}),
    );
    const { nodes, notPlaced } = today.view;
    deepStrictEqual(nodes, [
      { nodeId: "one", outcomes: { applied: 2, rejected: 0, "not-applied": 1, unknown: 1 } },
      { nodeId: "two", outcomes: { applied: 0, rejected: 0, "not-applied": 1, unknown: 0 } },
    ]);
    deepStrictEqual(
      notPlaced.map(({ nodeId, code, detail, number }) => [nodeId, code, detail, number?.replace(/\D/g, "")]),
      [
        ["one", "ERR_INPUT", "to.number", undefined],
        ["two", "ERR_BLOCKED", "opt-out", "567"],
      ],
    );
    doesNotMatch(JSON.stringify(notPlaced), /234/);
  });

  it("keep the last hundred that were not placed, the latest first", () => {
    const today = new Today();
    for (let index = 0; index < 130; index += 1) today.count(`${index}`, failed(BLOCKED));
    const { notPlaced } = today.view;
    deepStrictEqual([notPlaced.length, notPlaced[0]?.nodeId, notPlaced.at(-1)?.nodeId], [100, "129", "30"]);
  });

  it("begin anew at the tenant's midnight, and say since when they count until then", () => {
    const today = new Today();
    const zones = [
      ["Asia/Ho_Chi_Minh", "2026-12-01T16:59:00Z", "2026-12-01T17:00:00Z"],
      ["America/New_York", "2026-12-03T04:59:00Z", "2026-12-03T05:00:00Z"],
    ] as const;
    strictEqual(typeof today.view.since, "number");
    for (const [zone, before, after] of zones) {
      today.zone = zone;
      Date.now = () => Date.parse(before);
      today.count("one", failed(BLOCKED));
      deepStrictEqual([today.view.nodes.length, today.view.notPlaced.length], [1, 1]);
      Date.now = () => Date.parse(after);
      deepStrictEqual(today.view, { since: null, nodes: [], notPlaced: [] });
    }
  });
});
