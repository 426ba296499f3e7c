import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { withTenant } from "../nodes/flow";
import { clear, fail, flowOf, give, helper, load, nodeOf, pass, play, seen, settle, statusesOf, until } from "./stage";

const ZONE = "Asia/Ho_Chi_Minh";
/** 2026-11-23 is a Monday. */
const WEEK = [
  { day: "mon", open: "08:00", close: "12:00" },
  { day: "mon", open: "13:00", close: "17:30" },
  { day: "tue", open: "08:00", close: "12:00" },
];
const MORNING = "2026-11-23T08:30";
const NOON = "2026-11-23T12:15";

const gate = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "business-hour-gate",
  source: "value",
  schedule: WEEK,
  scheduleType: "list",
  timezone: ZONE,
  at: "at",
  atType: "msg",
  wires: [["out"], ["closed"]],
  ...more,
});

describe("business-hour-gate with its own schedule", () => {
  const held = withTenant();
  beforeEach(clear);
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));
  const judged = async (message: object) => (await pass(message))["businessHour"];

  it("sends an open message to the first output, untouched but for msg.businessHour", async () => {
    await only();
    const res = { headers: {} };
    const message = { _msgid: "m1", payload: { deep: [1] }, topic: "t", at: MORNING, res, parts: { id: 1 } };
    const out = await pass({ ...message });
    deepStrictEqual(out, {
      ...message,
      businessHour: {
        open: true,
        reason: "hours",
        name: null,
        id: null,
        timezone: ZONE,
        checkedAt: "2026-11-23T08:30:00+07:00",
        closesAt: "2026-11-23T12:00:00+07:00",
        opensAt: "2026-11-23T13:00:00+07:00",
        opensIn: 4.5 * 3_600_000,
        stale: false,
      },
    });
    deepStrictEqual([seen.out.length, seen.closed.length, seen.completed.length], [1, 0, 1]);
    strictEqual(held.tenant.received.length, 0);
  });

  it("sends a closed message to the second output", async () => {
    await only();
    await play([{ at: NOON }]);
    deepStrictEqual([seen.out.length, seen.closed.length, seen.completed.length], [0, 1, 1]);
    deepStrictEqual(seen.closed[0]?.["businessHour"], {
      open: false,
      reason: "outside",
      name: null,
      id: null,
      timezone: ZONE,
      checkedAt: "2026-11-23T12:15:00+07:00",
      closesAt: "2026-11-23T17:30:00+07:00",
      opensAt: "2026-11-23T13:00:00+07:00",
      opensIn: 45 * 60_000,
      stale: false,
    });
  });

  it("keeps the order of messages", async () => {
    await only();
    await play(Array.from({ length: 50 }, (_, index) => ({ payload: index, at: MORNING })));
    deepStrictEqual(
      seen.out.map(({ payload }) => payload),
      Array.from({ length: 50 }, (_, index) => index),
    );
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

  describe("schedule", () => {
    const typed = { schedule: "payload.schedule", scheduleType: "msg" };

    it("comes from a typed input, with name and id", async () => {
      await only(typed);
      const schedule = { id: 4, name: "Office", enable: 1, days: [{ day: "mon", open: "8:00", close: "17:00:00" }] };
      const { open, name, id } = await judged({ at: MORNING, payload: { schedule } });
      deepStrictEqual({ open, name, id }, { open: true, name: "Office", id: 4 });
      const text = await judged({ at: MORNING, payload: { schedule: JSON.stringify(schedule) } });
      deepStrictEqual([text.open, text.name, text.id], [true, "Office", 4]);
    });

    for (const off of [{ enable: 0 }, { enabled: false }, { enabled: false, enable: 1 }]) {
      it(`${JSON.stringify(off)} is disabled, whatever else`, async () => {
        await only({ ...typed, exceptions: [{ date: "2026-11-23" }] });
        const { open, reason, closesAt, opensAt, opensIn } = await judged({
          at: MORNING,
          payload: { schedule: { ...off, days: WEEK } },
        });
        deepStrictEqual([open, reason, closesAt, opensAt, opensIn], [false, "disabled", null, null, null]);
      });
    }

    it("comes from JSON in the dialog, from a context store, from JSONata", async () => {
      await only({ schedule: JSON.stringify({ days: WEEK }), scheduleType: "json" });
      strictEqual((await judged({ at: MORNING })).open, true);
    });

    it("comes from a context store", async () => {
      await only({ schedule: "week", scheduleType: "flow" });
      (nodeOf("n1").context() as never as { flow: { set(key: string, value: unknown): void } }).flow.set("week", {
        days: WEEK,
      });
      strictEqual((await judged({ at: MORNING })).open, true);
      strictEqual((await judged({ at: NOON })).open, false);
    });

    for (const bad of [
      "nonsense",
      7,
      { days: "never" },
      {},
      { days: [{ day: "x", open: "1:00", close: "2:00" }] },
      { days: WEEK, enabled: "perhaps" },
    ]) {
      it(`${JSON.stringify(bad)} is ERR_INPUT`, async () => {
        await only(typed);
        const { code, cause } = await fail({ at: MORNING, payload: { schedule: bad } });
        strictEqual(code, "ERR_INPUT");
        ok(cause.field.startsWith("schedule"), cause.field);
        ok(cause.source.startsWith("msg.payload.schedule"), cause.source);
        deepStrictEqual(
          [cause.action, cause.outcome, cause.retryable, cause.sent],
          ["business-hour-gate", "not-applied", false, "no"],
        );
      });
    }

    it("a mistake inside is told with its place", async () => {
      await only(typed);
      const { cause } = await fail({ at: MORNING, payload: { schedule: { days: [WEEK[0], { day: "x" }] } } });
      deepStrictEqual([cause.field, cause.source], ["schedule.days[1].day", "msg.payload.schedule.days[1].day"]);
    });

    it("given by nobody is unknown, not closed for ever", async () => {
      await only(typed);
      const { code, cause } = await fail({ at: MORNING, payload: {} });
      deepStrictEqual([code, cause.outcome, cause.retryable], ["ERR_SCHEDULE", "not-applied", true]);
    });

    it("needs no tenant, and does not mind a broken one", async () => {
      await load(flowOf({ url: "nonsense" }, gate({ tenant: "t1" })));
      strictEqual((await judged({ at: MORNING })).open, true);
    });

    it("ignores what another choice left behind", async () => {
      await only({
        scheduleId: "payload.id",
        scheduleIdType: "msg",
        scheduleName: "payload.x",
        scheduleNameType: "msg",
      });
      strictEqual((await judged({ at: MORNING, payload: { id: "no id" } })).open, true);
    });
  });

  describe("instant", () => {
    for (const [what, at] of [
      ["epoch milliseconds", Date.parse("2026-11-23T08:30:00+07:00")],
      ["a Date", new Date("2026-11-23T08:30:00+07:00")],
      ["ISO 8601 with an offset", "2026-11-23T02:30:00+01:00"],
      ["ISO 8601 in UTC", "2026-11-23T01:30:00.000Z"],
      ["ISO 8601 without, in the gate's zone", "2026-11-23T08:30:00"],
    ] as const) {
      it(`is ${what}`, async () => {
        await only();
        const { open, checkedAt } = await judged({ at });
        deepStrictEqual([open, checkedAt], [true, "2026-11-23T08:30:00+07:00"]);
      });
    }

    for (const [what, pair] of [
      ["absent", { at: undefined, atType: undefined }],
      ["core's date", { at: "", atType: "date" }],
      ["nothing in the message", {}],
    ] as const) {
      it(`is now when the pair is ${what}`, async () => {
        await only(pair);
        const before = Date.now();
        const { checkedAt } = await judged({});
        ok(Date.parse(checkedAt) >= before && Date.parse(checkedAt) <= Date.now(), checkedAt);
        ok(checkedAt.endsWith("+07:00"), checkedAt);
      });
    }

    for (const bad of ["soon", "2026-13-01", "2026-11-23T25:00", true, {}, Number.NaN, new Date(Number.NaN)]) {
      it(`${String(bad)} is ERR_INPUT`, async () => {
        await only();
        const { code, cause } = await fail({ at: bad });
        deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "at", "msg.at"]);
      });
    }
  });

  describe("exceptions", () => {
    const list = [
      { date: "2026-11-23", name: "day off" },
      { from: "12-24", to: "01-02", hours: [{ open: "10:00", close: "11:00" }] },
    ];

    it("close a day, or give it hours of its own", async () => {
      await only({ exceptions: list, exceptionsType: "list" });
      const off = await judged({ at: MORNING });
      deepStrictEqual([off.open, off.reason, off.opensAt], [false, "exception", "2026-11-24T08:00:00+07:00"]);
      const short = await judged({ at: "2026-12-24T10:30" });
      deepStrictEqual([short.open, short.reason, short.closesAt], [true, "exception", "2026-12-24T11:00:00+07:00"]);
      const beyond = await judged({ at: "2026-11-24T08:30" });
      deepStrictEqual([beyond.open, beyond.reason], [true, "hours"]);
    });

    it("come from the message, from JSON, as text", async () => {
      await only({ exceptions: "holidays", exceptionsType: "msg" });
      strictEqual((await judged({ at: MORNING, holidays: list })).reason, "exception");
      strictEqual((await judged({ at: MORNING, holidays: JSON.stringify(list) })).reason, "exception");
      strictEqual((await judged({ at: MORNING })).reason, "hours");
      strictEqual((await judged({ at: MORNING, holidays: [] })).reason, "hours");
    });

    it("are one list for many gates, as it is at each message", async () => {
      const shared = { exceptions: "holidays", exceptionsType: "global" };
      await load(flowOf({ url: held.tenant.url }, gate(shared), gate({ ...shared, id: "n2" })));
      const { global } = nodeOf("n1").context() as never as { global: { set(key: string, value: unknown): void } };
      strictEqual((await pass({ at: MORNING }))["businessHour"].reason, "hours");
      global.set("holidays", list);
      for (const id of ["n1", "n2"]) strictEqual((await pass({ at: MORNING }, id))["businessHour"].reason, "exception");
      global.set("holidays", []);
      strictEqual((await pass({ at: MORNING }))["businessHour"].reason, "hours");
    });

    for (const [exceptions, exceptionsType] of [
      [[{ date: "23.11.2026" }], "list"],
      [[{ from: "2026-11-23" }], "list"],
      [JSON.stringify([{ date: "02-30" }]), "json"],
      ["{", "json"],
      ["holidays", "msg"],
    ] as const) {
      it(`bad ones are ERR_CONFIG: ${JSON.stringify(exceptions)} (${exceptionsType})`, async () => {
        await only({ exceptions, exceptionsType });
        const statuses = statusesOf("n1");
        const { code, cause } = await fail({ at: MORNING, holidays: [{ date: 5 }] });
        deepStrictEqual([code, cause.retryable, cause.outcome], ["ERR_CONFIG", false, "not-applied"]);
        ok(cause.field.startsWith("exceptions"), cause.field);
        await settle();
        ok(
          statuses.some(({ fill, text }) => fill === "red" && text === "ERR_CONFIG"),
          JSON.stringify(statuses),
        );
      });
    }
  });

  describe("override", () => {
    const override = { override: "force", overrideType: "msg" };

    for (const [force, open] of [
      ["open", true],
      ["closed", false],
    ] as const) {
      it(`${force} beats the schedule, exceptions and a disabled schedule`, async () => {
        await only({
          ...override,
          exceptions: [{ date: "2026-11-23" }],
          schedule: JSON.stringify({ enabled: false, days: WEEK, name: "Off", id: 3 }),
          scheduleType: "json",
        });
        deepStrictEqual(await judged({ at: MORNING, force }), {
          open,
          reason: "override",
          name: "Off",
          id: 3,
          timezone: ZONE,
          checkedAt: "2026-11-23T08:30:00+07:00",
          closesAt: null,
          opensAt: null,
          opensIn: null,
          stale: false,
        });
        deepStrictEqual([seen.out.length, seen.closed.length], open ? [1, 0] : [0, 1]);
      });
    }

    for (const force of ["", undefined, null, "auto", true, 0, {}]) {
      it(`${JSON.stringify(force)} goes by the schedule`, async () => {
        await only(override);
        strictEqual((await judged({ at: MORNING, force })).reason, "hours");
      });
    }

    it("of a fixed value holds for every message", async () => {
      await only({ override: "closed", overrideType: "str" });
      strictEqual((await judged({ at: MORNING })).reason, "override");
    });
  });

  describe("configuration", () => {
    for (const [what, more, field] of [
      ["a zone that there is not", { timezone: "Mars/Olympus" }, "timezone"],
      ["an offset as zone", { timezone: "+07:00" }, "timezone"],
      ["a refresh of 4", { refresh: 4 }, "refresh"],
      ["a refresh of 86401", { refresh: "86401" }, "refresh"],
      ["a refresh in words", { refresh: "often" }, "refresh"],
      ["a source that there is not", { source: "cloud" }, "source"],
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

    it("refresh 5 and 86400, as text too, are fine", async () => {
      for (const refresh of ["5", 86_400]) {
        await only({ refresh });
        strictEqual((await judged({ at: MORNING })).open, true);
        await helper.unload();
      }
    });

    it("a tenant that cannot be used fails the tenant's gates", async () => {
      await load(
        flowOf({ url: "http://example.com" }, gate({ source: "tenant", tenant: "t1", scheduleName: "Office" })),
      );
      strictEqual((await fail({ at: MORNING })).code, "ERR_CONFIG");
    });

    it("takes the zone of the tenant when it has none", async () => {
      await load(flowOf({ url: held.tenant.url, timezone: "America/New_York" }, gate({ tenant: "t1", timezone: "" })));
      strictEqual((await judged({ at: MORNING })).checkedAt, "2026-11-23T08:30:00-05:00");
    });

    it("takes the zone of the host when nobody has one", async () => {
      await only({ timezone: "" });
      strictEqual((await judged({ at: MORNING })).timezone, new Intl.DateTimeFormat().resolvedOptions().timeZone);
    });
  });

  describe("status", () => {
    it("says until when without a message", async () => {
      await only({
        schedule: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({
          day,
          open: "00:00",
          close: "23:58",
        })),
      });
      const statuses = statusesOf("n1");
      await until(() => statuses.length > 0, "a status");
      const [first] = statuses;
      ok(/^(open|closed)Until/.test(String(first?.text)), JSON.stringify(first));
      ok(String(first?.text).endsWith(`(${ZONE})`) || Intl.DateTimeFormat().resolvedOptions().timeZone === ZONE);
    });

    for (const [what, schedule, wanted] of [
      [
        "open",
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((day) => ({ day, open: "00:00", close: "00:00" })),
        ["green", "dot", /^open/],
      ],
      ["closed", [], ["grey", "ring", /^closed/]],
    ] as const) {
      it(`${what} without end`, async () => {
        await only({ schedule });
        const statuses = statusesOf("n1");
        await until(() => statuses.length > 0, "a status");
        const { fill, shape, text } = statuses[0] as { fill: string; shape: string; text: string };
        deepStrictEqual([fill, shape], wanted.slice(0, 2));
        ok((wanted[2] as RegExp).test(text) && !text.includes("Until"), text);
      });
    }

    it("follows exceptions that a context store holds, without a message", async () => {
      await only({ exceptions: "holidays", exceptionsType: "flow", schedule: WEEK });
      const statuses = statusesOf("n1");
      await until(() => statuses.length > 0, "a status");
      ok(/^(open|closed)Until/.test(String(statuses[0]?.text)), JSON.stringify(statuses));
    });

    it("goes on after the failure of one message", async () => {
      await only();
      const statuses = statusesOf("n1");
      await fail({ at: "nonsense" });
      await until(() => statuses.at(-1)?.fill === "red", "red status");
      await pass({ at: MORNING });
      await until(() => statuses.at(-1)?.fill !== "red", "the schedule's status again");
    });

    it("shows the hours of a schedule that came with a message", async () => {
      await only({ schedule: "week", scheduleType: "msg" });
      const statuses = statusesOf("n1");
      await pass({ week: { days: [] } });
      await until(() => statuses.length > 0, "a status");
      deepStrictEqual([statuses[0]?.fill, statuses[0]?.text?.startsWith("closed")], ["grey", true]);
    });
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
    await settle(50);
    ok(timers() > before, "the status renews itself");
    await helper.unload();
    await settle(20);
    ok(timers() <= before, `${timers()} timers, ${before} before`);
  });

  it("a gate closed while it still opens leaves nothing behind", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    await load(flowOf({ url: held.tenant.url }));
    await helper.unload();
    const before = timers();
    await load(flowOf({ url: held.tenant.url }, gate({ source: "tenant", tenant: "t1", scheduleName: "Office" })));
    await helper.unload();
    await settle(50);
    ok(timers() <= before, `${timers()} timers, ${before} before`);
  });
});
