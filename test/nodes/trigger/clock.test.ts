import { deepStrictEqual } from "node:assert/strict";
import { load } from "../../support/stage";
import { virtualClock } from "../../support/virtual-clock";
import { sent, ownTrigger as trigger, triggers } from "./triggers";

describe("business-hour-trigger when the clock is set", () => {
  const { flow } = triggers();
  const MINUTE = 60_000;

  async function started(at: string, more: Record<string, unknown> = {}, age = 11 * MINUTE) {
    const clock = virtualClock(at, age);
    await load(flow(trigger(more)));
    await clock.advance(MINUTE);
    return clock;
  }

  it("forward by up to 24 hours: sends each edge in between once, in order", async () => {
    const clock = await started("2026-11-23T07:00:00+07:00");
    clock.set("2026-11-23T18:00:00+07:00");
    await clock.advance(MINUTE);
    deepStrictEqual(sent(), ["2026-11-23T08:00 open", "2026-11-23T17:00 closed"]);
    await clock.advance(20 * MINUTE);
    clock.set("2026-11-24T18:15:00+07:00");
    await clock.advance(MINUTE);
    deepStrictEqual(sent().slice(2), ["2026-11-24T08:00 open", "2026-11-24T17:00 closed"]);
  });

  it("forward by 15 minutes or more soon after the start: the edges in between were those of the stop", async () => {
    const clock = await started("2026-11-23T07:50:00+07:00", {}, 0);
    clock.set("2026-11-23T16:55:00+07:00");
    await clock.advance(MINUTE);
    clock.set("2026-11-23T17:04:00+07:00");
    await clock.advance(MINUTE);
    deepStrictEqual(sent(), ["2026-11-23T17:00 closed"]);
  });

  it("forward by more: makes up for nothing and goes on from there", async () => {
    const clock = await started("1970-01-01T07:00:00+07:00");
    clock.set("2026-11-23T12:00:00+07:00");
    await clock.until("2026-11-23T18:00:00+07:00");
    deepStrictEqual(sent(), ["2026-11-23T17:00 closed"]);
  });

  it("back by up to 24 hours: does not send again what was sent", async () => {
    const clock = await started("2026-11-24T07:00:00+07:00");
    await clock.until("2026-11-24T18:00:00+07:00");
    deepStrictEqual(sent(), ["2026-11-24T08:00 open", "2026-11-24T17:00 closed"]);
    clock.set("2026-11-23T18:30:00+07:00");
    await clock.until("2026-11-25T18:00:00+07:00");
    deepStrictEqual(sent().slice(2), ["2026-11-25T08:00 open", "2026-11-25T17:00 closed"]);
  });

  it("back by more: begins anew from there", async () => {
    const clock = await started("2026-11-26T18:00:00+07:00");
    clock.set("2026-11-24T12:00:00+07:00");
    await clock.until("2026-11-24T18:00:00+07:00");
    deepStrictEqual(sent(), ["2026-11-24T17:00 closed"]);
  });

  it("by more than 24 hours, tells the state if it tells it at start", async () => {
    const clock = await started("1970-01-01T07:00:00+07:00", { atStart: true });
    deepStrictEqual(
      sent().map((text) => text.slice(0, 10)),
      ["1970-01-01"],
    );
    clock.set("2026-11-23T12:00:00+07:00");
    await clock.advance(MINUTE);
    deepStrictEqual(sent().at(-1)?.slice(0, 10), "2026-11-23");
    deepStrictEqual(sent().length, 2);
  });
});
