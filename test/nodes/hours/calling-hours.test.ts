import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { hour, serving } from "../../support/business-hours";
import { calendarServer, ics } from "../../support/calendars/server";
import { stopClockAt } from "../../support/clocks";
import { LosingService } from "../../support/losing-service";
import {
  give,
  load,
  nodeOf,
  pass,
  redeploy,
  roundTrip,
  seen,
  statusesOf,
  statusesOfNext,
  until,
  warnings,
} from "../../support/stage";
import { virtualClock } from "../../support/virtual-clock";
import { ownGate, tenantGate } from "../gate/gates";
import { CALL_STOP, callOut } from "../schedules/requests";
import { callsInHours, EIGHT_TO_FIVE, MONDAY_MORNING, MONDAY_NOON, SUNDAY } from "./calls";

describe("calling hours of a tenant", () => {
  const { held, serve, flow, dialled, reads, count } = callsInHours();
  const office = () => [hour(1, "Office", EIGHT_TO_FIVE)];
  /** The tenant has its office, and the clock stands still. */
  const officeAt = (instant: string) => {
    serve(office);
    return stopClockAt(instant);
  };
  const waits = (statuses: readonly { text?: string | undefined }[]) => statuses.at(-1)?.text === "waitsUntil";

  it("call-outs wait until they open, and leave then in their order", async () => {
    serve(office);
    const clock = virtualClock("2026-11-23T07:59:58Z");
    await load(flow({ concurrency: 1 }, callOut(), CALL_STOP));
    const statuses = statusesOf("n1");
    for (const payload of ["1", "2", "3"]) give({ payload });
    give({ payload: { callId: "c" } }, "n2");
    await until(() => seen.out.length === 1 && waits(statuses), "the stop has left, and the calls wait");
    // The timer comes a second too early.
    clock.set("2026-11-23T07:59:57Z");
    await clock.advance(2000);
    await roundTrip();
    deepStrictEqual(dialled(), []);
    await clock.until(MONDAY_MORNING);
    await until(() => seen.out.length === 4, "all have left");
    deepStrictEqual(dialled(), ["1", "2", "3"]);
  });

  for (const [mode, prefix] of [
    ["live", ""],
    ["log", "mode.log: "],
  ] as const)
    it(`${mode}: node and control say until when, and resume does not end it`, async () => {
      const clock = officeAt(SUNDAY);
      await load(flow({ mode }, callOut()));
      const [shown, counted] = [statusesOf("n1"), statusesOf("k1")];
      give({ payload: "1" });
      await until(() => shown.at(-1)?.text === `${prefix}waitsUntil`, "the call waits");
      const { fill, shape } = shown.at(-1) ?? {};
      deepStrictEqual([fill, shape], ["grey", "ring"]);
      await pass({ payload: "resume" }, "k1");
      await until(() => counted.at(-1)?.text === `${prefix}waitsUntil, waiting`, "the control node says so");
      const expected = { resting: true, restsUntil: "2026-11-23T08:00:00+00:00", waiting: { callOut: 1, other: 0 } };
      const { resting, restsUntil, waiting, paused, held: isHeld } = await count();
      deepStrictEqual({ resting, restsUntil, waiting, paused, isHeld }, { ...expected, paused: false, isHeld: false });
      deepStrictEqual(dialled(), []);
      clock.set(MONDAY_NOON);
      give({ payload: "2" });
      await until(() => seen.out.filter(({ telephony }) => telephony).length === 2, "both have left");
      const after = await count();
      deepStrictEqual([after.resting, after.restsUntil], [false, null]);
    });

  it("sandbox: the schedules of the simulated tenant count", async () => {
    stopClockAt(SUNDAY);
    await load(flow({ mode: "sandbox", callingHours: "Office" }, callOut()));
    const shown = statusesOf("n1");
    give({ payload: "1" });
    await until(() => shown.at(-1)?.text === "mode.sandbox: waitsUntil", "the call waits");
    await redeploy(flow({ mode: "sandbox", callingHours: "Support 24/7" }, callOut()));
    await until(() => seen.out.some(({ statusCode }) => statusCode === 200), "other hours let it go");
  });

  it("anytime overtakes what rests, and shows no waiting for hours", async () => {
    officeAt(SUNDAY);
    await load(flow({}, callOut(), callOut({ id: "n3", anytime: "true" })));
    const [shown, urgent] = [statusesOf("n1"), statusesOf("n3")];
    give({ payload: "1" });
    await until(() => waits(shown), "it waits");
    give({ payload: "2" }, "n3");
    await until(() => seen.out.length === 1 && urgent.at(-1)?.text === "accepted", "the urgent one has left");
    deepStrictEqual(dialled(), ["2"]);
    ok(urgent.every(({ text }) => !text?.startsWith("waits")));
  });

  it("anytime false waits, and anything else is ERR_CONFIG", async () => {
    officeAt(SUNDAY);
    const [no, bad] = [callOut({ anytime: "false" }), callOut({ id: "n3", anytime: "sometimes" })];
    await load(flow({}, no, bad));
    const shown = statusesOf("n1");
    give({ payload: "1" });
    give({ payload: "2" }, "n3");
    await until(() => waits(shown) && seen.caught.length === 1, "one waits, the other fails");
    strictEqual(seen.caught[0]?.["error"].code, "ERR_CONFIG");
  });

  it("one reading serves the lane and all gates", async () => {
    officeAt(MONDAY_NOON);
    const gates = [1, 2, 3].map((index) => tenantGate({ id: `g${index}`, at: "", scheduleName: "Office" }));
    await load(flow({}, callOut(), ...gates));
    give({ payload: "1" });
    give({}, "g1");
    give({}, "g3");
    await until(() => seen.out.length === 3, "all passed");
    strictEqual(reads(), 1);
  });

  it("what a node of the flow creates, replaces or deletes counts at once, for call-outs and gates", async () => {
    stopClockAt(MONDAY_NOON);
    const service = new LosingService("Office");
    held.tenant.answers((request) => (request.url.endsWith("/call-out") ? {} : service.answer(request)));
    const [gate, deletes] = [
      tenantGate({ id: "g1", scheduleName: "Office" }),
      { scheduleId: "id", scheduleIdType: "msg" },
    ];
    const node = (id: string, type: string, more = {}) => ({ id, type, tenant: "t1", wires: [["out"]], ...more });
    const [creating, ensuring] = [node("b1", "business-hour-create"), node("b2", "business-hour-ensure")];
    await load(flow({}, callOut(), gate, creating, ensuring, node("b3", "business-hour-delete", deletes)));
    await until(() => service.steps.length > 0, "the schedule was looked for");
    const days = [{ day: "mon", open: "08:00", close: "17:00" }];
    const office = async () => (await pass({}, "g1"))["businessHour"];
    const { id } = (await pass({ payload: { name: "Office", days } }, "b1")).payload;
    deepStrictEqual([(await office()).id, (await office()).open], [id, true]);
    await pass({ payload: "1" });
    const { payload } = await pass(
      { payload: { name: "Office", days: [{ day: "tue", open: "08:00", close: "17:00" }] } },
      "b2",
    );
    const closed = await office();
    deepStrictEqual([closed.id, closed.open], [payload.id, false]);
    await pass({ id: payload.id }, "b3");
    strictEqual((await office()).stale, true);
    deepStrictEqual(dialled(), ["1"]);
  });

  for (const [what, hours, word] of [
    ["no schedule of that name", () => [], "schedule.none"],
    ["two schedules of that name", () => [...office(), hour(2, "Office", EIGHT_TO_FIVE)], "schedule.several"],
  ] as const)
    it(`${what}: call-outs rest in red until there is one, and the log says why, once`, async () => {
      stopClockAt(MONDAY_NOON);
      let now: () => ReturnType<typeof office> = () => [...hours()];
      const reading = serving(() => now());
      const release = held.tenant.hold((request) => (request.method === "GET" ? reading(request) : {}));
      const gate = tenantGate({ at: "", scheduleName: "Office", refresh: 5, id: "g1" });
      const [shown, counted] = [statusesOfNext("n1"), statusesOfNext("k1")];
      await load(flow({}, callOut(), gate, CALL_STOP, callOut({ id: "n3", anytime: true })));
      give({ payload: "1" });
      await until(() => shown.at(-1)?.text === "waitsForHours", "it waits");
      ok(shown.every(({ fill }) => fill !== "red"));
      release();
      await until(() => shown.at(-1)?.text === word && counted.at(-1)?.text === word, "red");
      deepStrictEqual([shown.at(-1)?.fill, counted.at(-1)?.fill], ["red", "red"]);
      give({ payload: { callId: "c" } }, "n2");
      give({ payload: "2" });
      give({ payload: "3" }, "n3");
      const [code, waiting] = word === "schedule.none" ? ["ERR_CONFIG", 1] : [undefined, 2];
      await until(() => seen.out.length === 2 && seen.caught[0]?.["error"].code === code, "all others have ended");
      const { resting, restsUntil, waiting: rests } = await count();
      deepStrictEqual([dialled(), resting, restsUntil, rests.callOut], [["3"], true, null, waiting]);
      strictEqual(warnings().filter((text) => text.includes("log.callingHours")).length, 1);
      now = office;
      await until(() => dialled().includes("1"), "what waits, by itself");
      await until(() => shown.at(-1)?.text === "accepted", "nothing is red any more");
    });

  describe("exceptions", () => {
    it("that cannot be read any more let call-outs wait", async () => {
      officeAt(MONDAY_NOON);
      await load(flow({ callingHours: "" }, ownGate()));
      const { global } = nodeOf("n1").context();
      global.set("holidays", ics(["DTSTART;VALUE=DATE:20261224"]));
      const settings = { callingExceptions: "holidays", callingExceptionsType: "global" };
      await redeploy(flow(settings, callOut()));
      await pass({ payload: "1" });
      global.set("holidays", ics(["DTSTART;VALUE=DATE:20261399"]));
      await redeploy(flow(settings, callOut()));
      await until(async () => (await count()).resting);
      give({ payload: "2" });
      await until(async () => (await count()).waiting.callOut === 1);
      deepStrictEqual(dialled(), ["1"]);
    });

    for (const [what, value, type] of [
      ["a bad list", [{ date: "2026-13-01" }], "list"],
      ["bad JSON", "[", "json"],
      ["a value of the message", "payload", "msg"],
      ["a value of the flow of a tenant in no flow", "holidays", "flow"],
      ["an address without https", "http://example.com/a.ics", "url"],
    ] as const)
      it(`${what} is ERR_CONFIG of the tenant`, async () => {
        serve(office);
        await load(flow({ callingExceptions: value, callingExceptionsType: type }, callOut(), CALL_STOP));
        give({ payload: { callId: "c" } }, "n2");
        await until(() => seen.caught.length === 1, "it failed");
        deepStrictEqual([seen.caught[0]?.["error"].code, reads()], ["ERR_CONFIG", 0]);
      });

    it("at an address that does not answer let call-outs wait, until it gives a calendar", async () => {
      officeAt(MONDAY_NOON);
      const server = await calendarServer((response) => response.writeHead(503).end());
      try {
        const settings = { callingExceptions: `${server.url}/holidays.ics`, callingExceptionsType: "url" };
        await load(flow(settings, callOut()));
        const shown = statusesOf("n1");
        give({ payload: "1" });
        await until(() => shown.at(-1)?.fill === "red", "red");
        deepStrictEqual(dialled(), []);
        strictEqual(warnings().filter((text) => /callingHours/.test(text)).length, 1);
        server.answers(ics(["DTSTART;VALUE=DATE:20261123"]));
        await redeploy(flow(settings, callOut()));
        const next = statusesOf("n1");
        await until(() => waits(next), "it waits");
        strictEqual((await count()).restsUntil, "2026-11-24T08:00:00+00:00");
        server.answers(ics(["DTSTART;VALUE=DATE:20261224"]));
        await redeploy(flow(settings, callOut()));
        await until(() => dialled().length === 1, "no holiday is today");
      } finally {
        await server.stop();
      }
    });

    for (const [type, value] of [
      ["global", undefined],
      ["flow", ""],
      ["global", []],
      ["flow", ics()],
      ["env", undefined],
    ] as const)
      it(`that are missing from ${type}, or empty there (${JSON.stringify(value)}), let call-outs wait, and say where they are missing`, async () => {
        officeAt(MONDAY_NOON);
        await load(flow({ callingHours: "" }, ownGate()));
        if (type !== "env") nodeOf("n1").context()[type].set("holidays", value);
        const before = warnings().length;
        await redeploy(flow({ z: "f1", callingExceptions: "holidays", callingExceptionsType: type }, callOut()));
        const shown = statusesOf("n1");
        give({ payload: "1" });
        await until(() => shown.at(-1)?.fill === "red", "red");
        strictEqual(shown.at(-1)?.text, "ERR_CONFIG");
        deepStrictEqual(dialled(), []);
        await until(() => warnings().slice(before).length === 1, "one warning");
        ok(warnings().at(-1)?.includes("callingHours"), String(warnings()));
      });
  });

  describe("redeploys", () => {
    beforeEach(async () => {
      officeAt(SUNDAY);
      await load(flow({}, callOut()));
      const before = statusesOf("n1");
      give({ payload: "1" });
      await until(() => waits(before), "it waits");
    });

    it("with unchanged settings keep everything and ask nothing", async () => {
      const shown = statusesOfNext("n1");
      for (let times = 0; times < 5; times += 1) await redeploy(flow({}, callOut()));
      await until(() => waits(shown), "it still waits");
      deepStrictEqual([dialled(), reads(), (await count()).waiting.callOut], [[], 1, 1]);
    });

    const open = [{ date: "2026-11-22", hours: [{ open: "09:00", close: "11:00" }] }];
    for (const settings of [{ callingHours: "" }, { callingExceptions: open, callingExceptionsType: "list" }])
      it(`release what waits: ${JSON.stringify(settings)}`, async () => {
        await redeploy(flow(settings, callOut()));
        await until(() => dialled().length === 1, "it has left");
        strictEqual(reads(), 1);
      });
  });
});
