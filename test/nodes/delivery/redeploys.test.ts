import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { hour, serving } from "../../support/business-hours";
import { putClockAhead } from "../../support/clocks";
import {
  clear,
  events,
  fail,
  give,
  load,
  nodeOf,
  pass,
  redeploy,
  roundTrip,
  seen,
  statusesOfNext,
  until,
} from "../../support/stage";
import { CONTROL, callOut, callsOfTenant, control } from "../schedules/requests";

const HOUR = 3_600_000;

/** The rest that the table of deploys leaves out: what a message is told, and what holds for it afterwards. */
describe("a redeploy", () => {
  const { held, flow, dialled } = callsOfTenant();
  const ends = () => [...seen.out.map(() => "applied"), ...seen.caught.map(({ error }) => error.code)];
  const ended = async (count: number) => {
    await until(() => ends().length >= count, `${count} messages ended`);
    await roundTrip();
  };

  describe("that closes a node before Node-RED delivers what was sent to it: its successor receives that", () => {
    for (const [node, payload] of [
      [callOut(), "1"],
      [control({ id: "n1" }), "pause"],
    ] as const)
      it(node.type, async () => {
        await load(flow({}, node));
        const predecessor = nodeOf("n1");
        await redeploy(flow({}, { ...node, name: "changed" }));
        predecessor.receive({ payload } as NodeMessage);
        await ended(1);
        deepStrictEqual([ends(), dialled()], [["applied"], payload === "1" ? ["1"] : []]);
      });
  });

  describe("while calls are in flight", () => {
    for (const [before, after, sent] of [
      ["page", "each", 1],
      ["each", "page", 0],
    ] as const)
      it(`that makes the output of a list "${after}" instead of "${before}": its result is reported`, async () => {
        const list = (output: string) => ({
          id: "n1",
          type: "business-hour-list",
          tenant: "t1",
          output,
          wires: [["out"]],
        });
        const release = held.tenant.hold(serving(() => [hour(1, "Office"), hour(2, "Night")]));
        await load(flow({}, list(before)));
        give({ payload: {} });
        await until(() => held.tenant.received.length === 1, "it is in flight");
        await redeploy(flow({}, list(after)));
        release();
        await ended(1);
        deepStrictEqual([seen.out.length, seen.caught.length], [sent, 1 - sent]);
      });

    /** The mode in which a request was made decides what a node says of it. */
    for (const [from, to] of [
      ["sandbox", "live"],
      ["sandbox", "log"],
      ["live", "sandbox"],
    ])
      it(`from ${from} to ${to} mode: the call is ${from === "live" ? "not " : ""}called simulated`, async () => {
        const release = held.tenant.hold(() => ({ status: 503 }));
        await load(flow({ mode: from }, callOut()));
        const faults = { times: 1, delayMs: 60_000 };
        await (await sandboxOf("t1"))?.inspect("POST", "/sandbox/faults", new URLSearchParams(), faults);
        const statuses = statusesOfNext("n1");
        // The sandbox holds the one that it receives first, so the other one is answered after that.
        for (const payload of from === "live" ? ["1"] : ["1", "2"]) give({ payload });
        await until(() => held.tenant.received.length + seen.out.length === 1, "one is in flight");
        await redeploy(flow({ mode: to }, callOut()));
        release();
        await until(() => seen.caught.length === 1, "the successor reported it");
        const { message, cause } = seen.caught[0]?.["error"] ?? {};
        deepStrictEqual([cause.outcome, cause.mode], ["unknown", from]);
        strictEqual(/errors\.simulated/.test(message), from === "sandbox");
        await until(() => statuses.at(-1)?.text?.includes("mayHaveBeen") === true, "the status shows it");
        match(String(statuses.at(-1)?.text), from === "live" ? /^mayHaveBeen/ : /^mode\.sandbox: /);
      });
  });

  describe("while calls wait", () => {
    it("in which they are dropped while no flow runs: the successor reports them, once", async () => {
      await load(flow({ concurrency: 1 }, callOut(), CONTROL));
      await paused(["1", "2"]);
      events().once("flows:stopping", () => setImmediate(() => void tenantOf("t1").client?.end({})));
      await redeploy(flow({}, callOut({ name: "changed" }), CONTROL));
      await ended(2);
      deepStrictEqual([ends(), dialled()], [["ERR_DROPPED", "ERR_DROPPED"], []]);
    });

    /** Calls that wait because the tenant is paused. */
    async function paused(payloads: readonly string[], more: object = {}): Promise<void> {
      give({ payload: "pause" }, "k1");
      await roundTrip();
      for (const payload of payloads) give({ payload, ...more });
      await roundTrip();
    }

    it("that keeps their tenant: their time limits and keys hold", async () => {
      const node = callOut({ notAfter: "until", notAfterType: "msg", onceKey: "key", onceKeyType: "msg" });
      await load(flow({}, node, CONTROL));
      await paused(["1"], { until: Date.now() + HOUR, key: "a" });
      give({ payload: "2", until: Date.now() + 3 * HOUR, key: "b" });
      await roundTrip();
      await redeploy(flow({ timeout: 20 }, node, CONTROL));
      strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "pending");
      clear();
      putClockAhead(2 * HOUR);
      give({ payload: "resume" }, "k1");
      await ended(2);
      deepStrictEqual([ends(), dialled()], [["applied", "ERR_EXPIRED"], ["2"]]);
    });
  });

  it("finds deduplication keys again after a deletion that is undone", async () => {
    const once = callOut({ onceKey: "key", onceKeyType: "msg" });
    await load(flow({}, once));
    await pass({ payload: "1", key: "a" });
    await redeploy([{ id: "f1", type: "tab", label: "empty" }]);
    await redeploy(flow({}, once));
    strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "applied");
    deepStrictEqual(dialled(), ["1"]);
    await pass({ payload: "4", key: "b" });
  });
});
