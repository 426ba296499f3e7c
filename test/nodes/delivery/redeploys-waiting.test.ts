import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import {
  clear,
  envelope,
  events,
  fail,
  give,
  helper,
  load,
  pageOf,
  pass,
  redeploy,
  seen,
  settle,
  until,
  warnings,
} from "../../support/stage";
import { CONTROL, callOut, callsOfTenant, holding } from "../schedules/requests";

/** States that a redeploy may interrupt. In each, no message may be sent twice or lost. */
describe("a redeploy in the middle of", () => {
  const { held, flow, dialled } = callsOfTenant();
  const codes = () => seen.caught.map(({ error }) => error.code);
  const ends = () => seen.out.length + seen.caught.length;
  async function pause(): Promise<void> {
    give({ payload: "pause" }, "k1");
    await settle(20);
  }

  describe("a call with a deduplication key", () => {
    const once = { onceKey: "key", onceKeyType: "msg" };

    for (const [what, tenant] of [
      ["the same", {}],
      ["another setting", { timeout: 20 }],
    ] as const) {
      it(`keeps the key while it is in flight and afterwards, with ${what}`, async () => {
        const release = holding(held.tenant);
        await load(flow({}, callOut(once)));
        give({ payload: "1", key: "a" });
        await until(() => held.tenant.received.length === 1, "the first is in flight");
        await redeploy(flow(tenant, callOut({ ...once, name: "changed" })));
        const refused = await fail({ payload: "2", key: "a" });
        deepStrictEqual([refused.code, refused.cause.first.outcome], ["ERR_DUPLICATE", "pending"]);
        release();
        await until(() => seen.out.length === 1, "the successor delivered it");
        strictEqual((await fail({ payload: "3", key: "a" })).cause.first.outcome, "applied");
        deepStrictEqual(dialled(), ["1"]);
      });
    }

    it("keeps the key of a waiting message, and releases it when the message is dropped", async () => {
      await load(flow({}, callOut(once), CONTROL));
      await pause();
      give({ payload: "1", key: "a" });
      await settle(20);
      await redeploy(flow({ timeout: 20 }, callOut(once), CONTROL));
      strictEqual((await fail({ payload: "2", key: "a" })).cause.first.outcome, "pending");
      clear();
      give({ payload: "drop" }, "k1");
      await until(() => codes().includes("ERR_DROPPED"), "dropped");
      give({ payload: "resume" }, "k1");
      await pass({ payload: "3", key: "a" });
      deepStrictEqual(dialled(), ["3"]);
    });

    it("finds its keys again after a trial in the sandbox, and after a deletion that is undone", async () => {
      await load(flow({}, callOut(once)));
      await pass({ payload: "1", key: "a" });
      await redeploy(flow({ mode: "sandbox" }, callOut(once)));
      await pass({ payload: "2", key: "a" });
      await redeploy(flow({}, callOut(once)));
      strictEqual((await fail({ payload: "3", key: "a" })).code, "ERR_DUPLICATE");
      await redeploy([{ id: "f1", type: "tab", label: "empty" }]);
      await redeploy(flow({}, callOut(once)));
      strictEqual((await fail({ payload: "4", key: "a" })).code, "ERR_DUPLICATE");
      deepStrictEqual(dialled(), ["1"]);
    });
  });

  describe("a waiting message", () => {
    it("keeps its notAfter during a pause", async () => {
      const node = callOut({ notAfter: "until", notAfterType: "msg" });
      await load(flow({}, node, CONTROL));
      await pause();
      give({ payload: "1", until: Date.now() + 100 });
      give({ payload: "2", until: Date.now() + 3_600_000 });
      await settle(20);
      await redeploy(flow({ timeout: 20 }, node, CONTROL));
      await settle(150);
      give({ payload: "resume" }, "k1");
      await until(() => ends() === 2, "both ended");
      deepStrictEqual([codes(), dialled()], [["ERR_EXPIRED"], ["2"]]);
    });

    for (const [what, tenant] of [
      ["in log mode", { mode: "log" }],
      ["in the sandbox", { mode: "sandbox" }],
      ["at another address", { path: "/other" }],
      ["by another engine", { engine: "memory" }],
      ["with settings that are wrong", { rate: -1 }],
      ["nowhere, its tenant is deleted", undefined],
    ] as const) {
      it(`is not done ${what}`, async () => {
        await load(flow({}, callOut(), CONTROL));
        await pause();
        give({ payload: "1" });
        give({ payload: "2" });
        await settle(20);
        const url = `${held.tenant.url}${tenant && "path" in tenant ? tenant.path : ""}`;
        const next = flow({ ...tenant, url }, callOut(), CONTROL);
        await redeploy(tenant ? next : next.filter(({ id }) => id !== "t1"));
        await until(() => ends() === 2, "both ended");
        await settle(50);
        deepStrictEqual([codes(), seen.out.length], [["ERR_CONFIG", "ERR_CONFIG"], 0]);
        deepStrictEqual(held.tenant.received, []);
        ok(!helper.log().args.some(([entry]) => String(entry?.msg).includes("log.onlyLog")));
      });
    }

    it("is taken in whatever the successor's backlog, in its order, and no more than that", async () => {
      await load(flow({ concurrency: 1 }, callOut(), CONTROL));
      await pause();
      for (const payload of ["1", "2", "3"]) give({ payload });
      await settle(20);
      await redeploy(flow({ concurrency: 1, backlog: 2 }, callOut(), CONTROL));
      strictEqual((await fail({ payload: "4" })).code, "ERR_BACKLOG_FULL");
      give({ payload: "resume" }, "k1");
      await until(() => seen.out.length === 3, "all three went out");
      deepStrictEqual(dialled(), ["1", "2", "3"]);
    });

    for (const engine of ["memory", ""])
      it(`ends with its node: one warning has the number of all (engine "${engine}")`, async () => {
        await load(flow({ engine }, callOut(), CONTROL));
        await pause();
        for (let call = 1; call <= 469; call += 1) give({ payload: `${call}` });
        await settle(20);
        await redeploy(flow({ engine }, CONTROL));
        const lines = () => warnings().flatMap((line) => line.split("telephony:log.")[1] ?? []);
        await until(() => lines().length > 0, "it is logged");
        deepStrictEqual([lines(), tenantOf("t1").client?.lanes.waiting.callOut, dialled()], [["removed"], 0, []]);
      });

    it("dropped while no flow runs is reported to the successor, once", async () => {
      await load(flow({}, callOut(), CONTROL));
      await pause();
      for (const payload of ["1", "2", "3"]) give({ payload });
      await settle(20);
      events().once("flows:stopping", () => setImmediate(() => void tenantOf("t1").client?.drop()));
      await redeploy(flow({}, callOut({ name: "changed" }), CONTROL));
      await until(() => ends() === 3, "all ended");
      await settle(50);
      deepStrictEqual([codes(), dialled()], [Array(3).fill("ERR_DROPPED"), []]);
    });

    for (const [what, tenant] of [
      ["the same", {}],
      ["another setting", { timeout: 20 }],
    ] as const) {
      it(`for a tenant with an open circuit ends exactly once, with ${what}`, async () => {
        let calls = 0;
        held.tenant.answers(({ method }) => {
          if (method === "GET") return { body: envelope(pageOf([], 1, 1)) };
          calls += 1;
          return calls === 1 ? { status: 429, body: {}, headers: { "retry-after": "1" } } : {};
        });
        const wait = { concurrency: 1, onTrouble: "wait" };
        await load(flow(wait, callOut()));
        for (const payload of ["1", "2", "3", "4"]) give({ payload });
        await until(() => seen.caught.length === 1, "the first has failed");
        await redeploy(flow({ ...wait, ...tenant }, callOut({ name: "changed" })));
        await until(() => ends() === 4, "all ended");
        await settle(50);
        deepStrictEqual([codes(), dialled()], [["ERR_RATE_LIMITED"], ["1", "2", "3", "4"]]);
      });
    }
  });
});
