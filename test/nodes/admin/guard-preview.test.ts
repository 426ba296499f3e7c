import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { tryNumber } from "../../../src/workshop/admin/guard-preview";
import { HttpError } from "../../../src/workshop/admin/http";
import { withTenant } from "../../support/flow";
import { clear, flowOf, hour, load, pass, redeploy, serving, until } from "../../support/stage";
import { callOut } from "../schedules/requests";

/** 2023-01-02 was a Monday; opens once a week, for a minute. */
const SELDOM = [{ day: "mon", open: "03:00:00", close: "03:01:00" }];

describe("what a call to a number would meet", () => {
  const held = withTenant();
  beforeEach(clear);
  const tried = (number: string, config: object = {}) =>
    tryNumber({ id: "t1", number, config: { country: "VN", ...config } });

  it("counts the calls of the deployed tenant", async () => {
    await load(flowOf({ url: held.tenant.url, country: "VN", perNumber: 1, perNumberHours: 3 }, callOut()));
    deepStrictEqual(await tried("0912 345 678"), { ok: true, kind: "called" });
    await pass({ payload: "0912345678" });
    const { kind, retryAfterMs } = await tried("+84 912 345 678");
    deepStrictEqual(kind, "perNumber");
    ok(Number(retryAfterMs) > 0 && Number(retryAfterMs) <= 10_800_000, String(retryAfterMs));
    deepStrictEqual(await tried("0912345679"), { ok: true, kind: "called" });
    // A try does not count.
    await pass({ payload: "0912345679" });
  });

  it("says until when a call would wait for calling hours", async () => {
    held.tenant.answers(serving(() => [hour(1, "Office", SELDOM)]));
    await load(flowOf({ url: held.tenant.url, callingHours: "Office", timezone: "UTC" }, callOut()));
    await until(() => typeof tenantOf("t1").client?.lanes.callingHours?.opensAt === "string", "the hours are read");
    const { kind, until: at } = await tried("0912345678");
    deepStrictEqual(kind, "waits");
    match(String(at), /T03:00:00/);
    deepStrictEqual(await tried("0912345678", { block: ["09*"], blockType: "list" }), { ok: true, kind: "block" });
  });

  it("says that a call would wait while the calling hours cannot be read, and fail if there are none", async () => {
    held.tenant.answers(() => ({ status: 503 }));
    const hours = () => tenantOf("t1").client?.lanes.callingHours;
    await load(flowOf({ url: held.tenant.url, callingHours: "Office", timezone: "UTC" }, callOut()));
    await until(() => hours()?.problem !== undefined, "they cannot be read");
    deepStrictEqual(await tried("0912345678"), { ok: true, kind: "rests" });
    held.tenant.answers(serving(() => []));
    await redeploy(flowOf({ url: held.tenant.url, callingHours: "None", timezone: "UTC" }, callOut()));
    await until(() => hours()?.refusal !== undefined, "there are none");
    await rejects(tried("0912345678"), { code: "ERR_CONFIG", key: "config.hoursMissing" });
  });

  it("says that a number cannot be read if there is a rule", async () => {
    await load(flowOf({ url: held.tenant.url }, callOut()));
    deepStrictEqual(await tried("0912~345"), { ok: true, kind: "called" });
    for (const rules of [{ block: ["113"] }, { allow: ["*"] }, { perNumber: "1" }])
      deepStrictEqual(await tried("0912~345", rules), { ok: true, kind: "unreadable" });
  });

  it("reads a long list once, while others run", async () => {
    await load(flowOf({ url: held.tenant.url }, callOut()));
    const block = Array.from({ length: 20_000 }, (_, n) => `09${n + 10_000_000}`);
    const workFor = async (number: string) => {
      const before = process.cpuUsage();
      deepStrictEqual(await tried(number, { block }), { ok: true, kind: "block" });
      return process.cpuUsage(before).user;
    };
    const first = await workFor("+84910000001");
    ok((await workFor("0910000003")) < first / 4, "it is not read again");
  });

  it("needs a number and a configuration", async () => {
    for (const body of [{}, { number: "113" }, { number: " ", config: {} }, { number: "113", config: 1 }])
      await rejects(tryNumber(body), HttpError);
  });
});
