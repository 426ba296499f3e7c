import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fail, flowOf, load, statusesOf, until, warnings, withTenant } from "../../support/stage";
import { ownGate as gate, judged, MORNING } from "./gates";

describe("time zone of a business-hour-gate", () => {
  const held = withTenant();
  const { TZ: before } = process.env;
  afterEach(() => {
    delete process.env["GATE_ZONE"];
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });
  const only = (more: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url, ...settings }, gate(more)));

  it("is a text where the flow file has no type", async () => {
    await only({ timezone: "America/New_York" });
    strictEqual((await judged({ at: MORNING })).checkedAt, "2026-11-23T08:30:00-05:00");
  });

  it("comes with the message, and decides about the hours and the instant", async () => {
    await only({ timezone: "zone", timezoneType: "msg" });
    const { open, checkedAt, closesAt } = await judged({ at: MORNING, zone: "Europe/Berlin" });
    deepStrictEqual([open, checkedAt, closesAt], [true, "2026-11-23T08:30:00+01:00", "2026-11-23T12:00:00+01:00"]);
    const moment = Date.parse("2026-11-23T08:30:00+01:00");
    strictEqual((await judged({ at: moment, zone: "Europe/Berlin" })).open, true);
    strictEqual((await judged({ at: moment, zone: "America/New_York" })).open, false);
  });

  it("that is not given is the tenant's", async () => {
    const settings = { timezone: "America/New_York" };
    await only({ tenant: "t1", timezone: "zone", timezoneType: "msg" }, settings);
    strictEqual((await judged({ at: MORNING })).timezone, "America/New_York");
    strictEqual((await judged({ at: MORNING, zone: "Asia/Tokyo" })).timezone, "Asia/Tokyo");
  });

  for (const [what, pair] of [
    ["environment", { timezone: "GATE_ZONE", timezoneType: "env" }],
    ["message", { timezone: "zone", timezoneType: "msg" }],
  ] as const)
    it(`that is unknown is ERR_CONFIG, from the ${what}`, async () => {
      process.env["GATE_ZONE"] = "Mars/Olympus";
      await only(pair);
      const { code, cause, message } = await fail({ at: MORNING, zone: "Mars/Olympus" });
      deepStrictEqual([code, cause.retryable, cause.field], ["ERR_CONFIG", false, "timezone"]);
      ok(message.includes("zoneUnknown"), message);
    });

  for (const [TZ, zone, fill] of [
    ["JST-9", "Etc/GMT-9", /green|grey/],
    ["IST-5:30", "UTC", /yellow/],
  ] as const)
    it(`that is the server's is ${zone} with TZ=${TZ}, with one warning`, async () => {
      process.env["TZ"] = TZ;
      await load(flowOf({ url: held.tenant.url }, gate({ timezone: "" }), gate({ id: "n2", timezone: "" })));
      const statuses = statusesOf("n1");
      strictEqual((await judged({ at: MORNING })).timezone, zone);
      await until(() => statuses.length > 0, "a status");
      match(String(statuses.at(-1)?.fill), fill);
      strictEqual(warnings().filter((text) => /hostZone/.test(text)).length, 1);
    });

  it("is named in the status where it is the server's because none is given", async () => {
    await only({ timezone: "" });
    const statuses = statusesOf("n1");
    await until(() => statuses.length > 0, "a status");
    ok(String(statuses[0]?.text).endsWith(" (serverZone)"), JSON.stringify(statuses[0]));
  });
});
