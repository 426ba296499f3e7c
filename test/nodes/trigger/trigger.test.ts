import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { helper, load, nodeOf, roundTrip, seen, statusesOf, until } from "../../support/stage";
import { virtualClock } from "../../support/virtual-clock";
import { verdict } from "../gate/gates";
import { sent, ownTrigger as trigger, triggers, ZONE } from "./triggers";

describe("business-hour-trigger with its own schedule", () => {
  const { flow } = triggers();
  const MONDAY = "2026-11-23T07:00:00+07:00";

  it("sends an opening to the first output and a closing to the second, with the gate's object for the instant", async () => {
    const clock = virtualClock(MONDAY);
    await load(flow(trigger()));
    await clock.until("2026-11-23T07:59:59+07:00");
    deepStrictEqual(sent(), []);
    await clock.until("2026-11-23T08:00:00+07:00");
    await until(() => seen.out.length === 1, "the opening");
    const [{ _msgid: opened, ...opening } = { _msgid: "" }] = seen.out;
    deepStrictEqual(opening, {
      payload: "open",
      topic: "",
      businessHour: verdict(true, "hours", {
        timezone: ZONE,
        checkedAt: "2026-11-23T08:00:00+07:00",
        closesAt: "2026-11-23T17:00:00+07:00",
        opensAt: "2026-11-24T08:00:00+07:00",
        opensIn: 24 * 3_600_000,
        sentence: "We are open until 17:00.",
      }),
    });
    await clock.until("2026-11-23T17:00:00+07:00");
    await until(() => seen.closed.length === 1, "the closing");
    const [{ _msgid: closed, payload, businessHour } = { _msgid: "" }] = seen.closed;
    deepStrictEqual(
      [payload, businessHour.open, businessHour.sentence],
      ["closed", false, "We are closed and open again on Tuesday, 24 November, at 8:00."],
    );
    match(String(opened), /\S/);
    notStrictEqual(closed, opened);
    deepStrictEqual([seen.out.length, seen.closed.length, seen.caught.length], [1, 1, 0]);
  });

  it("sends before and after by the offsets, and tells what holds at that instant", async () => {
    const clock = virtualClock(MONDAY);
    await load(flow(trigger({ openingOffset: "30", closingOffset: -15 })));
    await clock.until("2026-11-23T16:45:00+07:00");
    deepStrictEqual(sent(), ["2026-11-23T08:30 open", "2026-11-23T16:45 closed"]);
    deepStrictEqual(
      [seen.closed[0]?.["businessHour"].open, seen.closed[0]?.["businessHour"].sentence],
      [true, "We are open until 17:00."],
    );
  });

  it("sends the closing first where an opening falls on the same instant", async () => {
    const order: unknown[] = [];
    const clock = virtualClock(MONDAY);
    const days = [
      { day: "mon", open: "08:00", close: "12:00" },
      { day: "mon", open: "13:00", close: "17:00" },
    ];
    await load(flow(trigger({ schedule: days, openingOffset: -30, closingOffset: 30, wires: [["out"], ["out"]] })));
    nodeOf("out").on("input", (({ payload }: { payload: unknown }) => order.push(payload)) as never);
    await clock.until("2026-11-23T12:30:00+07:00");
    deepStrictEqual(order, ["open", "closed", "open"]);
  });

  it("names the schedule in the topic", async () => {
    const clock = virtualClock(MONDAY);
    const schedule = { name: "Shop", id: 3, days: [{ day: "mon", open: "08:00", close: "12:00" }] };
    await load(flow(trigger({ schedule: JSON.stringify(schedule), scheduleType: "json" })));
    await clock.until("2026-11-23T08:00:00+07:00");
    deepStrictEqual([seen.out[0]?.["topic"], seen.out[0]?.["businessHour"].id], ["Shop", 3]);
  });

  it("shows until when it is open or closed", async () => {
    const clock = virtualClock(MONDAY);
    await load(flow(trigger()));
    const statuses = statusesOf("n1");
    await clock.until("2026-11-23T08:00:00+07:00");
    await until(() => String(statuses.at(-1)?.text).startsWith("openUntil"), "open");
    strictEqual(statuses.at(-1)?.fill, "green");
    await clock.until("2026-11-23T17:00:00+07:00");
    await until(() => String(statuses.at(-1)?.text).startsWith("closedUntil"), "closed");
  });

  describe("at start", () => {
    it("sends nothing by default", async () => {
      const clock = virtualClock("2026-11-23T09:00:00+07:00");
      await load(flow(trigger()));
      await clock.advance(3_600_000);
      deepStrictEqual(sent(), []);
    });

    it("sends the state if it is to: open on the first output, closed on the second", async () => {
      virtualClock("2026-11-23T09:00:00+07:00");
      await load(flow(trigger({ atStart: true })));
      await until(() => seen.out.length === 1, "open");
      await helper.unload();
      virtualClock("2026-11-23T18:00:00+07:00");
      await load(flow(trigger({ atStart: "true" })));
      await until(() => seen.closed.length === 1, "closed");
      await roundTrip();
      deepStrictEqual(sent(), ["2026-11-23T09:00 open", "2026-11-23T18:00 closed"]);
    });
  });

  describe("unusable settings", () => {
    for (const [what, more, field] of [
      ["an opening offset of 1441", { openingOffset: 1441 }, "openingOffset"],
      ["a closing offset in words", { closingOffset: "soon" }, "closingOffset"],
      ["an atStart that is no boolean", { atStart: "perhaps" }, "atStart"],
      ["a zone that there is not", { timezone: "Mars/Olympus" }, "timezone"],
      ["a schedule from a message", { schedule: "payload", scheduleType: "msg" }, "schedule"],
      ["exceptions by JSONata", { exceptions: "$x", exceptionsType: "jsonata" }, "exceptions"],
      ["a bad exception", { exceptions: [{ date: "2026-02-30" }] }, "exceptions[0].date"],
      ["a tenant's trigger without name and id", { source: "tenant", tenant: "t1" }, "scheduleName"],
      ["a tenant's trigger without tenant", { source: "tenant", scheduleName: "Office" }, "tenant"],
    ] as const) {
      it(`${what}: red, and one ERR_CONFIG`, async () => {
        const clock = virtualClock(MONDAY);
        await load(flow(trigger(more)));
        const statuses = statusesOf("n1");
        await until(() => seen.caught.length > 0, "the error");
        await clock.advance(2 * 3_600_000);
        const [{ error, _msgid } = { error: undefined, _msgid: "" }] = seen.caught;
        deepStrictEqual(
          [seen.caught.length, error.code, error.cause.field, error.cause.action],
          [1, "ERR_CONFIG", field, "business-hour-trigger"],
        );
        match(String(_msgid), /\S/);
        deepStrictEqual(sent(), []);
        await until(() => statuses.length === 0 || statuses.at(-1)?.fill === "red", "red");
      });
    }
  });

  it("leaves no timer behind", async () => {
    const clock = virtualClock(MONDAY);
    await load(flow());
    await helper.unload();
    const before = clock.waiting;
    await load(flow(trigger(), trigger({ id: "n2", exceptions: "holidays", exceptionsType: "global" })));
    await until(() => clock.waiting > before, "both wait for an edge");
    await helper.unload();
    await until(() => clock.waiting <= before, "no timer is left");
  });
});
