import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { load, nodeOf, roundTrip, seen, statusesOf, until } from "../../support/stage";
import { virtualClock } from "../../support/virtual-clock";
import { office, ownTrigger, sent, tenantTrigger as trigger, triggers } from "./triggers";

describe("business-hour-trigger with a schedule of the tenant", () => {
  const { held, flow, serve } = triggers();
  const reads = (count: number) => until(() => held.tenant.received.length >= count, `${count} reads`);
  const setGlobal = (value: unknown) => nodeOf("n1").context().global.set("holidays", value);

  it("reads it by name, and sends by it", async () => {
    serve(office());
    const clock = virtualClock("2026-11-23T07:59:00+07:00");
    await load(flow(trigger()));
    await reads(1);
    await roundTrip();
    await clock.advance(60_000);
    deepStrictEqual(sent(), ["2026-11-23T08:00 open"]);
    deepStrictEqual([seen.out[0]?.["topic"], seen.out[0]?.["businessHour"].name], ["Office", "Office"]);
  });

  it("moves what is still to come when the schedule changes, and sends nothing of the past", async () => {
    serve(office());
    const clock = virtualClock("2026-11-23T16:00:00+07:00");
    await load(flow(trigger({ refresh: 600 })));
    await reads(1);
    await roundTrip();
    // From now on it closed an hour ago, and opens at nine.
    serve(office("09:00:00", "15:00:00"));
    await clock.advance(601_000);
    await reads(2);
    await roundTrip();
    for (let hours = 0; hours < 19; hours += 1) {
      await clock.advance(3_600_000);
      await roundTrip();
    }
    deepStrictEqual(sent(), ["2026-11-24T09:00 open"]);
  });

  it("goes on with a stale copy, and says so", async () => {
    serve(office());
    const clock = virtualClock("2026-11-23T07:00:00+07:00");
    await load(flow(trigger({ refresh: 60 })));
    await reads(1);
    await roundTrip();
    held.tenant.answers(() => ({ status: 401, body: {} }));
    const statuses = statusesOf("n1");
    await clock.advance(61_000);
    await until(() => /stale$/.test(String(statuses.at(-1)?.text)), "stale");
    await clock.until("2026-11-23T08:00:00+07:00");
    await until(() => seen.out.length === 1, "the opening");
    deepStrictEqual([seen.out[0]?.["businessHour"].stale, seen.caught.length], [true, 0]);
  });

  it("without a schedule: red, one error until there is one, nothing made up for, and then it goes on", async () => {
    const clock = virtualClock("2026-11-23T07:00:00+07:00");
    serve();
    await load(flow(trigger({ refresh: 600, atStart: true })));
    const statuses = statusesOf("n1");
    await until(() => seen.caught.length === 1, "the error");
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await clock.advance(6 * 60_000);
      await roundTrip();
    }
    await clock.until("2026-11-23T09:00:00+07:00");
    const [{ error } = { error: undefined }] = seen.caught;
    deepStrictEqual([seen.caught.length, error.code, error.cause.retryable], [1, "ERR_SCHEDULE", true]);
    await until(() => statuses.at(-1)?.fill === "red", "red");
    deepStrictEqual(sent(), []);

    await roundTrip();
    serve(office());
    await clock.advance(601_000);
    await until(() => seen.out.length === 1, "the state");
    strictEqual(sent()[0]?.slice(0, 13), "2026-11-23T09");
    await clock.until("2026-11-23T17:00:00+07:00");
    await until(() => seen.closed.length === 1, "the closing");

    // Missing again: one error again.
    serve();
    for (let minutes = 0; minutes < 4; minutes += 1) {
      await clock.advance(601_000);
      await roundTrip();
    }
    await until(() => seen.caught.length === 2, "the second error");
  });

  it("without a schedule in a context store: ERR_SCHEDULE, until there is one", async () => {
    const clock = virtualClock("2026-11-23T07:59:00+07:00");
    await load(flow(ownTrigger({ schedule: "holidays", scheduleType: "global" })));
    await until(() => seen.caught.length === 1, "the error");
    strictEqual(seen.caught[0]?.["error"].code, "ERR_SCHEDULE");
    setGlobal({ days: [{ day: "mon", open: "08:00", close: "08:05" }] });
    await clock.until("2026-11-23T08:05:00+07:00");
    deepStrictEqual(sent(), ["2026-11-23T08:00 open", "2026-11-23T08:05 closed"]);
    strictEqual(seen.caught.length, 1);
  });

  it("follows exceptions in a context store within a second", async () => {
    const clock = virtualClock("2026-11-23T16:59:00+07:00");
    await load(flow(ownTrigger({ exceptions: "holidays", exceptionsType: "global" })));
    await clock.until("2026-11-23T16:59:58+07:00");
    // Open an hour longer today.
    setGlobal([{ date: "2026-11-23", hours: [{ open: "08:00", close: "18:00" }] }]);
    await clock.until("2026-11-23T17:01:00+07:00");
    deepStrictEqual(sent(), []);
    // Closed since noon, as somebody notes now.
    setGlobal([{ date: "2026-11-23", hours: [{ open: "08:00", close: "12:00" }] }]);
    await clock.until("2026-11-23T18:01:00+07:00");
    deepStrictEqual(sent(), []);
    setGlobal("no exceptions");
    await clock.advance(2000);
    strictEqual(seen.caught.length, 1);
    strictEqual(seen.caught[0]?.["error"].code, "ERR_CONFIG");
    setGlobal([{ date: "2026-11-23", hours: [{ open: "18:02", close: "19:00" }] }]);
    await clock.until("2026-11-23T18:02:00+07:00");
    deepStrictEqual(sent(), ["2026-11-23T18:02 open"]);
    strictEqual(seen.caught.length, 1);
  });
});
