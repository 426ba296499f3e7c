import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { NodeAPI, NodeStatus } from "node-red";
import { testConnection } from "../../../src/workshop/admin/tenant-routes";
import { hour, queryOf, serving } from "../../support/business-hours";
import { NOTHING_WAITS } from "../../support/counts";
import { ACCEPTED } from "../../support/live-tenant";
import { give, load, pass, redeploy, seen, statusesOf, statusesOfNext, until } from "../../support/stage";
import { tenantGate } from "../gate/gates";
import { CALL_STOP, callOut, callsOfTenant, control } from "../schedules/requests";

describe('a tenant with onTrouble "wait" in a flow', () => {
  const { held, flow, dialled } = callsOfTenant();
  const all = (tenant: Record<string, unknown> = {}) => flow(tenant, callOut(), control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const probes = () => held.tenant.received.filter(({ method }) => method === "GET");

  /** Whether a node shows why calls wait, and how many. */
  const isShown = (statuses: NodeStatus[], fill = "yellow") => {
    const { text = "", ...last } = statuses.at(-1) ?? {};
    return text.endsWith("trouble.since · waiting") && last.fill === fill && last.shape === "ring";
  };

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
    /** Gets two calls held: one after the other is refused. */
    const hold = async (...more: Record<string, unknown>[]) => {
      const accept = limited();
      await load(flow({ onTrouble: undefined }, callOut(), control(), ...more));
      const [shown, counted] = [statusesOf("n1"), statusesOf("k1")];
      give({ payload: "1" });
      await until(() => isShown(shown), "it is held");
      give({ payload: "2" });
      const isLong = async () => Date.parse((await command("count")).heldUntil) > Date.now() + 60_000;
      await until(async () => dialled().length === 2 && (await isLong()), "both are refused");
      await until(() => isShown(shown) && isShown(counted), "both show it");
      strictEqual(seen.caught.length, 0);
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
      deepStrictEqual(dialled(), ["1", "2"]);
    });

    it("shows why, and since and until when, under the nodes and in the counts", async () => {
      const before = Date.now();
      const { shown, counted } = await hold();
      await command("pause");
      await until(() => shown.at(-1)?.text === "paused" && counted.at(-1)?.text === "paused, waiting", "the pause");
      const { heldUntil, reasonSince, ...counts } = await command("count");
      ok(Date.parse(reasonSince) >= before - 1 && Date.parse(reasonSince) <= Date.now(), reasonSince);
      const held = { paused: true, held: true, reason: "ERR_RATE_LIMITED", waiting: { callOut: 2, other: 0 } };
      deepStrictEqual({ heldUntil: null, reasonSince: null, ...counts }, { ...NOTHING_WAITS, ...held });
      const at = Date.parse(heldUntil);
      ok(at >= before + 3_600_000 - 1000 && at <= Date.now() + 3_600_000, heldUntil);
      strictEqual(new Date(at).toISOString(), heldUntil);
    });

    it("resume ends it, and nothing of it stays shown", async () => {
      const { accept, shown, counted } = await hold();
      accept();
      const { held: isHeld, heldUntil } = await command("resume");
      deepStrictEqual([isHeld, heldUntil], [false, null]);
      await until(() => dialled().length === 4 && shown.at(-1)?.text === "accepted", "the calls went out");
      deepStrictEqual(dialled(), ["1", "2", "1", "2"]);
      await until(() => counted.at(-1)?.text === "waiting", "no hold is shown");
      strictEqual(probes().length, 0);
    });

    it("a redeploy keeps it, and lets a call try at once when a setting of the tenant changed", async () => {
      const { accept } = await hold();
      const changed = (tenant: object) => flow({ onTrouble: "wait", ...tenant }, callOut(), control());
      const [shown, counted] = [statusesOfNext("n1"), statusesOfNext("k1")];
      for (const [tries, tenant] of [{}, { timeout: 20 }, { timeout: 25 }].entries()) {
        await redeploy(changed(tenant));
        await until(() => dialled().length === 2 + tries, "one try for each deploy that changed it");
        await until(async () => (await command("count")).heldUntil !== null, "it is held");
      }
      await until(() => isShown(shown) && isShown(counted), "still shown");
      accept();
      await redeploy(changed({ timeout: 30 }));
      await until(() => dialled().length === 6, "the calls went out");
      strictEqual(probes().length, 0);
    });
  });

  it("is shown also after an earlier result, in red where the token is refused", async () => {
    held.tenant.answers(() => ({ body: ACCEPTED }));
    await load(all({ concurrency: 1, onTrouble: "wait" }));
    const shown = statusesOf("n1");
    give({ payload: "9" });
    await until(() => shown.at(-1)?.text === "accepted", "it works");
    held.tenant.answers(() => ({ status: 401, body: {} }));
    for (let index = 0; index < 3; index += 1) give({ payload: String(index) });
    await until(() => isShown(shown, "red"), "it is red");
    held.tenant.answers(() => ({ body: ACCEPTED }));
    await command("resume");
    await until(() => dialled().length === 7 && shown.at(-1)?.text === "accepted", "the calls went out");
  });

  it('is the default, and with "fail", each message fails', async () => {
    held.tenant.answers(() => ({ status: 429, body: {} }));
    await load(all({ concurrency: 1, onTrouble: "fail" }));
    for (let index = 0; index < 6; index += 1) give({ payload: String(index) });
    await until(() => seen.caught.length === 6, "each failed");
    strictEqual(probes().length, 0);
  });
});
