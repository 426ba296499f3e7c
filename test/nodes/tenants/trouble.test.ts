import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { testConnection } from "../../../src/workshop/admin/tenant-routes";
import { hour, queryOf, serving } from "../../support/business-hours";
import { ACCEPTED } from "../../support/live-tenant";
import { give, load, pass, redeploy, seen, statusesOf, statusesOfNext, until } from "../../support/stage";
import { tenantGate } from "../gate/gates";
import { CALL_STOP, callOut, callsOfTenant, control } from "../schedules/requests";

describe('a tenant with onTrouble "wait" in a flow', () => {
  const { held, flow, dialled } = callsOfTenant();
  const all = (tenant: Record<string, unknown> = {}) => flow(tenant, callOut(), control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const probes = () => held.tenant.received.filter(({ method }) => method === "GET");

  describe("while it holds", () => {
    /** Refuses the first call-out, and the probes with it, for an hour. */
    const limited = () => {
      let refusing = true;
      held.tenant.answers((request) => {
        const { method, url } = request;
        const isProbe = method === "GET" && queryOf(request)["limit"] === "1";
        if (refusing && (isProbe || url.endsWith("/call-out")))
          return { status: 429, body: {}, headers: { "retry-after": "3600" } };
        return method === "GET" ? serving(() => [hour(7, "Office")])(request) : { body: ACCEPTED };
      });
      return () => {
        refusing = false;
      };
    };
    /** Two calls are held: one has met the trouble, and waits again in front of the other. */
    const hold = async (...more: Record<string, unknown>[]) => {
      const accept = limited();
      await load(flow({ onTrouble: undefined }, callOut(), control(), ...more));
      const [shown, counted] = [statusesOf("n1"), statusesOf("k1")];
      give({ payload: "1" });
      await until(() => shown.at(-1)?.text === "held", "it is held");
      give({ payload: "2" });
      await until(() => shown.at(-1)?.text === "held" && counted.at(-1)?.text === "held, waiting", "both show it");
      strictEqual(seen.caught.length, 0);
      deepStrictEqual(
        [shown.at(-1)?.fill, shown.at(-1)?.shape, counted.at(-1)?.fill, counted.at(-1)?.shape],
        ["grey", "ring", "grey", "ring"],
      );
      return { accept, shown, counted };
    };

    it("everything but call-out goes through", async () => {
      const list = { id: "n3", type: "business-hour-list", tenant: "t1", wires: [["out"]] };
      const transfer = { id: "n4", type: "call-transfer", tenant: "t1", wires: [["out"]] };
      const gate = tenantGate({ id: "g1", scheduleName: "name", scheduleNameType: "msg" });
      await hold(CALL_STOP, list, transfer, gate);
      strictEqual((await pass({ payload: { callId: "c" } }, "n2"))["callId"], "c");
      await pass({ payload: { callId: "c", to: { type: "internal", number: "7" } } }, "n4");
      strictEqual((await pass({ payload: {} }, "n3")).payload.total, 1);
      strictEqual((await pass({ name: "Office" }, "g1"))["businessHour"].name, "Office");
      await testConnection({} as NodeAPI, { id: "t1" }).catch(({ code }) => strictEqual(code, "ERR_RATE_LIMITED"));
      deepStrictEqual(dialled(), ["1"]);
    });

    it("shows until when, under the nodes and in the counts", async () => {
      const before = Date.now();
      const { shown, counted } = await hold();
      await command("pause");
      await until(() => shown.at(-1)?.text === "paused" && counted.at(-1)?.text === "paused, waiting", "the pause");
      const { heldUntil, ...counts } = await command("count");
      const waits = { resting: false, restsUntil: null, waiting: { callOut: 2, other: 0 } };
      deepStrictEqual(counts, { paused: true, held: true, ...waits, dated: 0, heldBack: 0, underWay: 0, dropped: 0 });
      const at = Date.parse(heldUntil);
      ok(at >= before + 3_600_000 - 1000 && at <= Date.now() + 3_600_000, heldUntil);
      strictEqual(new Date(at).toISOString(), heldUntil);
    });

    it("resume ends it, and nothing of it stays shown", async () => {
      const { accept, shown, counted } = await hold();
      accept();
      const { held: isHeld, heldUntil } = await command("resume");
      deepStrictEqual([isHeld, heldUntil], [false, null]);
      await until(() => dialled().length === 3 && shown.at(-1)?.text === "accepted", "the calls went out");
      deepStrictEqual(dialled(), ["1", "1", "2"]);
      await until(() => counted.at(-1)?.text === "waiting", "no hold is shown");
      strictEqual(probes().length, 0);
    });

    it("a redeploy keeps it, and probes at once when a setting of the tenant changed", async () => {
      const { accept } = await hold();
      const changed = (tenant: object) => flow({ onTrouble: "wait", ...tenant }, callOut(), control());
      const [shown, counted] = [statusesOfNext("n1"), statusesOfNext("k1")];
      for (const tenant of [{}, { timeout: 20 }, { timeout: 25 }]) {
        await redeploy(changed(tenant));
        const counts = await command("count");
        deepStrictEqual([counts.held, counts.waiting.callOut], [true, 2]);
      }
      await until(() => shown.at(-1)?.text === "held" && counted.at(-1)?.text === "held, waiting", "still shown");
      await until(() => probes().length === 2, "a probe for each deploy that changed it");
      accept();
      await redeploy(changed({ timeout: 30 }));
      await until(() => dialled().length === 3, "the calls went out");
    });
  });

  it('is the default, and with "fail", each message fails', async () => {
    held.tenant.answers(() => ({ status: 429, body: {} }));
    await load(all({ concurrency: 1, onTrouble: "fail" }));
    for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
    await until(() => seen.caught.length === 6, "each failed");
    strictEqual(probes().length, 0);
  });
});
