import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { fail, flowOf, give, helper, load, pass, play, seen, statusesOf, until, withTenant } from "../../support/stage";
import { ownGate as gate, judged, MORNING, NOON, verdict, ZONE } from "./gates";

describe("business-hour-gate with its own schedule", () => {
  const held = withTenant();
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));

  it("sends an open message to the first output, untouched but for msg.businessHour", async () => {
    await only();
    const res = { headers: {} };
    const message = { _msgid: "m1", payload: { deep: [1] }, topic: "t", at: MORNING, res, parts: { id: 1 } };
    const out = await pass({ ...message });
    deepStrictEqual(out, {
      ...message,
      businessHour: verdict(true, "hours", {
        timezone: ZONE,
        checkedAt: "2026-11-23T08:30:00+07:00",
        closesAt: "2026-11-23T12:00:00+07:00",
        opensAt: "2026-11-23T13:00:00+07:00",
        opensIn: 4.5 * 3_600_000,
        sentence: "We are open until 12:00.",
      }),
    });
    deepStrictEqual([seen.out.length, seen.closed.length, seen.completed.length], [1, 0, 1]);
    strictEqual(held.tenant.received.length, 0);
  });

  it("sends a closed message to the second output", async () => {
    await only();
    await play({ at: NOON });
    deepStrictEqual([seen.out.length, seen.closed.length, seen.completed.length], [0, 1, 1]);
    deepStrictEqual(
      seen.closed[0]?.["businessHour"],
      verdict(false, "outside", {
        timezone: ZONE,
        checkedAt: "2026-11-23T12:15:00+07:00",
        closesAt: "2026-11-23T17:30:00+07:00",
        opensAt: "2026-11-23T13:00:00+07:00",
        opensIn: 45 * 60_000,
        sentence: "We are closed and open again today at 13:00.",
      }),
    );
  });

  it("says it in the language of the node", async () => {
    await only({ language: "de" });
    strictEqual((await judged({ at: NOON })).sentence, "Wir haben geschlossen und öffnen heute wieder um 13:00 Uhr.");
  });

  it("passes a message on that takes no properties", async () => {
    await only();
    const out = await pass(Object.freeze({ payload: 1, at: MORNING, _msgid: "m" }));
    strictEqual(out["businessHour"].open, true);
  });

  it("takes the msg.businessHour of an earlier gate as its own", async () => {
    await only();
    strictEqual((await judged({ at: NOON, businessHour: { open: true, extra: 1 } })).open, false);
  });

  describe("configuration", () => {
    for (const [what, more, field] of [
      ["a zone that there is not", { timezone: "Mars/Olympus" }, "timezone"],
      ["a refresh of 86401", { refresh: "86401" }, "refresh"],
      ["an onUnknown that there is not", { onUnknown: "perhaps" }, "onUnknown"],
      ["a tenant's gate without name and id", { source: "tenant", tenant: "t1" }, "scheduleName"],
      ["a tenant's gate without tenant", { source: "tenant", scheduleName: "Office" }, "tenant"],
      ["a gate with nothing filled in", { source: undefined }, "scheduleName"],
    ] as const) {
      it(`${what} is ERR_CONFIG`, async () => {
        await only(more);
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: MORNING });
        deepStrictEqual([code, cause.field, cause.retryable], ["ERR_CONFIG", field, false]);
        await until(() => statuses.some(({ fill }) => fill === "red"), "red status");
      });
    }

    it("a tenant that cannot be used fails the tenant's gates", async () => {
      await load(
        flowOf({ url: "http://example.com" }, gate({ source: "tenant", tenant: "t1", scheduleName: "Office" })),
      );
      strictEqual((await fail({ at: MORNING })).code, "ERR_CONFIG");
    });

    const broken: [string, Record<string, unknown>, string, string][] = [
      ["has an address that is not safe", { url: "http://example.com" }, "t1", "url"],
      ["has a zone that there is not", { timezone: "Mars/Olympus" }, "t1", "timezone"],
      ["is disabled", { d: true }, "t1", "tenant"],
      ["does not exist", {}, "gone", "tenant"],
    ];
    for (const [what, settings, tenant, field] of broken) {
      it(`no other zone replaces that of a tenant that ${what}`, async () => {
        await load(flowOf({ url: held.tenant.url, ...settings }, gate({ tenant, timezone: "" })));
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: MORNING });
        deepStrictEqual([code, cause.field, cause.retryable], ["ERR_CONFIG", field, false]);
        await until(() => statuses.some(({ fill }) => fill === "red"), "red status");
      });

      it(`with its own zone, it needs no tenant that ${what}`, async () => {
        await load(flowOf({ url: held.tenant.url, ...settings }, gate({ tenant })));
        strictEqual((await judged({ at: MORNING })).timezone, ZONE);
      });
    }
  });

  it("leaves no timer behind after close", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    await load(flowOf({ url: held.tenant.url }));
    await helper.unload();
    const before = timers();
    await load(
      flowOf(
        { url: held.tenant.url },
        gate(),
        gate({ id: "n2", exceptions: "holidays", exceptionsType: "global" }),
        gate({ id: "n3", source: "tenant", tenant: "t1", scheduleName: "Office" }),
      ),
    );
    give({ at: MORNING });
    give({ at: MORNING });
    await until(() => held.tenant.received.length > 0, "the gate reads its schedule");
    await until(() => timers() > before, "the status renews itself");
    await helper.unload();
    await until(() => timers() <= before, "no timer is left");
  });

  it("a gate closed while it still opens leaves nothing behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    await load(flowOf({ url: held.tenant.url }));
    await helper.unload();
    const before = timers();
    await load(flowOf({ url: held.tenant.url }, gate({ source: "tenant", tenant: "t1", scheduleName: "Office" })));
    await helper.unload();
    await until(() => timers() <= before, "no timer is left");
  });
});
