import { deepStrictEqual, match, ok, rejects } from "node:assert/strict";
import type { NodeAPI } from "node-red";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { Reader } from "../../../src/workshop/admin/preview/answer";
import { tryNumber } from "../../../src/workshop/admin/preview/guard";
import { hour, serving } from "../../support/business-hours";
import { stopClockAt } from "../../support/clocks";
import { clear, flowOf, load, pass, redeploy, until, withTenant } from "../../support/stage";
import { callOut } from "../schedules/requests";

/** 2023-01-02 was a Monday; opens once a week, for a minute. */
const SELDOM = [{ day: "mon", open: "03:00:00", close: "03:01:00" }];

describe("what a call to a number would meet", () => {
  const held = withTenant();
  beforeEach(clear);
  const reader = new Reader({} as NodeAPI, { language: "en-US", zone: "UTC" });
  const tried = async (number: string, config: object = {}) => {
    const { lines } = await tryNumber(reader, { id: "t1", country: "VN", ...config }, { number });
    return lines.map(({ text }) => text).join();
  };
  const [called, blocked] = ["This number would be called.", "Blocked: this number is never called."];

  it("counts the calls of the deployed tenant", async () => {
    await load(flowOf({ url: held.tenant.url, country: "VN", perNumber: 1, perNumberHours: 3 }, callOut()));
    deepStrictEqual(await tried("0912 345 678"), called);
    await pass({ payload: "0912345678" });
    deepStrictEqual(await tried("+84 912 345 678"), "Limit reached: possible again in 3 hr.");
    deepStrictEqual(await tried("0912345679"), called);
    // A try does not count.
    await pass({ payload: "0912345679" });
  });

  it("says that somebody does not want to be called", async () => {
    await load(flowOf({ mode: "sandbox", country: "VN" }, callOut()));
    await tenantOf("t1").optOuts?.block("0912 345 678", { until: null, reason: null });
    deepStrictEqual(await tried("+84 912 345 678"), "Blocked: the owner of this number does not want to be called.");
    deepStrictEqual(await tried("0912345679"), called);
    await tenantOf("t1").optOuts?.unblock("0912 345 678");
  });

  it("says until when a call would wait for calling hours", async () => {
    stopClockAt("2026-11-24T12:00:00Z");
    held.tenant.answers(serving(() => [hour(1, "Office", SELDOM)]));
    await load(flowOf({ url: held.tenant.url, callingHours: "Office", timezone: "UTC" }, callOut()));
    await until(() => typeof tenantOf("t1").client?.lanes.callingHours?.opensAt === "string", "the hours are read");
    match(await tried("0912345678"), /^The call would wait until Mon, .*03:00\.$/);
    deepStrictEqual(await tried("0912345678", { block: ["09*"], blockType: "list" }), blocked);
  });

  it("says that a call would wait while the calling hours cannot be read, and fail if there are none", async () => {
    held.tenant.answers(() => ({ status: 503 }));
    const hours = () => tenantOf("t1").client?.lanes.callingHours;
    await load(flowOf({ url: held.tenant.url, callingHours: "Office", timezone: "UTC" }, callOut()));
    await until(() => hours()?.problem !== undefined, "they cannot be read");
    match(await tried("0912345678"), /^The call would wait for calling hours\. It is not known/);
    held.tenant.answers(serving(() => []));
    await redeploy(flowOf({ url: held.tenant.url, callingHours: "None", timezone: "UTC" }, callOut()));
    await until(() => hours()?.refusal !== undefined, "there are none");
    await rejects(tried("0912345678"), { code: "ERR_CONFIG", key: "config.hoursMissing" });
  });

  it("says that a number cannot be read if there is a rule", async () => {
    await load(flowOf({ url: held.tenant.url }, callOut()));
    deepStrictEqual(await tried("0912~345"), called);
    for (const rules of [{ block: ["113"] }, { allow: ["*"] }, { perNumber: "1" }])
      match(await tried("0912~345", rules), /cannot be read as one phone number/);
  });

  it("reads a long list once, while others run", async () => {
    await load(flowOf({ url: held.tenant.url }, callOut()));
    const block = Array.from({ length: 20_000 }, (_, n) => `09${n + 10_000_000}`);
    const workFor = async (number: string) => {
      const before = process.cpuUsage();
      deepStrictEqual(await tried(number, { block }), blocked);
      return process.cpuUsage(before).user;
    };
    const first = await workFor("+84910000001");
    ok((await workFor("0910000003")) < first / 4, "it is not read again");
  });
});
