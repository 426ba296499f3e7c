import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { notSent } from "../../../src/client";
import { toExceptions, ValueError } from "../../../src/fields";
import { NO_SOURCES } from "../../../src/runtime/node-red/host";
import { asTenantError, sentence } from "../../../src/runtime/node-red/texts";
import { Gate } from "../../../src/runtime/nodes/gate/gate";
import { unusable } from "../../../src/runtime/tenants/chosen-tenant";
import { ics } from "../../support/calendars/server";
import { APPLE, GOOGLE, OUTLOOK } from "../../support/calendars/texts";
import { LANGUAGES, speaking } from "../../support/speaking";
import { fail, flowOf, load, statusesOf, until, warnings, withTenant } from "../../support/stage";
import { ownGate as gate, judged, MORNING } from "./gates";

describe("business-hour-gate with exceptions from iCalendar text", () => {
  const held = withTenant();
  const only = (more: Record<string, unknown> = {}) => load(flowOf({ url: held.tenant.url }, gate(more)));
  const fromMessage = () => only({ exceptions: "holidays", exceptionsType: "msg" });
  /** Returns whether it is open, why, the exception, and when it opens next. */
  const at = async (time: string, holidays?: unknown) => {
    const { open, reason, exception, opensAt } = await judged(
      holidays === undefined ? { at: time } : { at: time, holidays },
    );
    return [open, reason, exception, opensAt?.slice(0, 16)];
  };

  it("are those of each message", async () => {
    await fromMessage();
    const day = [false, "exception", "Example Day, observed", "2026-11-24T08:00"];
    deepStrictEqual(await at(MORNING, GOOGLE), day);
    deepStrictEqual(await at(MORNING, Buffer.from(GOOGLE)), day);
    deepStrictEqual(await at(MORNING), [true, "hours", null, "2026-11-23T13:00"]);
    // 02:00 to 03:00 in Berlin.
    deepStrictEqual(await at(MORNING, OUTLOOK), [false, "exception", "Betriebsversammlung", "2026-11-23T09:00"]);
    deepStrictEqual(await at(MORNING, APPLE), [false, "exception", "Founders’ day 🎂", "2026-11-24T08:00"]);
    deepStrictEqual(await at(MORNING, [{ date: "2026-11-23" }]), [false, "exception", null, "2026-11-24T08:00"]);
  });

  const unreadable = [
    ["DTSTART;VALUE=DATE:20261123", "DTSTART;VALUE=DATE:20261131", "icalLine", 'line 19: "DTSTART" cannot be read.'],
    ["BYDAY=TU", "BYDAY=XY", "icalLine", 'line 36: "RRULE" cannot be read.'],
    [
      "FREQ=WEEKLY;BYDAY=TU",
      `FREQ=WEEKLY;BYDAY=TU${",TU".repeat(1000)}`,
      "icalOften",
      "line 36: the event repeats too often.",
    ],
    [
      ";TZID=Asia/Ho_Chi_Minh:20261103T09",
      ";TZID=Hanoi:20261103T09",
      "icalZone",
      'line 34: the text does not define "Hanoi".',
    ],
    ["DTSTART:20261208T030000Z\r\n", "", "icalStart", "line 48: the event has no start (DTSTART)."],
    ["END:VCALENDAR\r\n", "", "icalEnd", 'line 1: "BEGIN:VCALENDAR" has no end.'],
  ] as const;

  it("are left out where they cannot be read, in yellow, with one warning each", async () => {
    await fromMessage();
    const statuses = statusesOf("n1");
    for (const [from, to] of unreadable)
      strictEqual((await judged({ at: MORNING, holidays: GOOGLE.replace(from, to) })).incomplete, true, to);
    await until(() => statuses.some(({ text }) => /eventsLeftOut/.test(text ?? "")), "what is left out");
    strictEqual(statuses.at(-1)?.fill, "yellow");
    strictEqual(warnings().filter((text) => /eventsLeftOut/.test(text)).length, unreadable.length);
    strictEqual((await judged({ at: MORNING, holidays: GOOGLE })).incomplete, false);
  });

  it("are ERR_CONFIG where none can be read", async () => {
    await fromMessage();
    const statuses = statusesOf("n1");
    const { code, message, cause } = await fail({ at: MORNING, holidays: GOOGLE.replaceAll("DTSTART", "X-START") });
    deepStrictEqual([code, cause.retryable, cause.outcome], ["ERR_CONFIG", false, "not-applied"]);
    strictEqual(message.endsWith("errors.input.hours.icalStart"), true, message);
    await until(() => statuses.some(({ fill, text }) => fill === "red" && text === "ERR_CONFIG"), "a red status");
    strictEqual((await judged({ at: MORNING, holidays: GOOGLE })).reason, "exception");
  });

  it("say in the status that there are none for the next year, and stop nothing", async () => {
    await fromMessage();
    const statuses = statusesOf("n1");
    const past = APPLE.replace("RRULE:FREQ=YEARLY\n", "").replace("DTSTART:2026", "DTSTART:2025");
    deepStrictEqual(await at(MORNING, past), [true, "hours", null, "2026-11-23T13:00"]);
    await until(() => statuses.some(({ text }) => /noHolidaysAhead/.test(text ?? "")), "what is not known");
    strictEqual(statuses.at(-1)?.fill, "yellow");
  });

  for (const [from, to, key, words] of unreadable) {
    it(`the sentence of ${key} names the line: ${words}`, () => {
      const { first } = toExceptions(GOOGLE.replace(from, to), "exceptions").icalendar?.leftOut ?? {};
      strictEqual(first?.key, `input.hours.${key}`);
      const error = asTenantError(new ValueError(first.key, "exceptions", first.params));
      const said = words.replace(/[()]/g, "\\$&").replace(":", "\\):");
      match(sentence(speaking("en-US"), error), new RegExp(`^[A-Z][a-z ]+ \\(exceptions, ${said}`));
      for (const each of LANGUAGES) match(sentence(speaking(each), error), new RegExp(`\\b${first.params["line"]}\\b`));
    });
  }
});

it("a gate resolves a large calendar in many turns before its first decision", async () => {
  const days = Array.from({ length: 10_000 }, () => ["DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=YEARLY"]);
  const host = { ...NO_SOURCES, env: () => ics(...days) };
  const config = gate({ at: "", exceptions: "HOLIDAYS", exceptionsType: "env" });
  const opened = await Gate.open(config, unusable("", notSent("ERR_CONFIG", "config")), host, "en");
  const request = await opened.read({});
  for (const isFirst of [true, false]) {
    let clock = 0;
    let turns = 0;
    let isOver = false;
    // Each step takes a millisecond.
    mock.method(performance, "now", () => clock++);
    const deciding = Promise.resolve(opened.decide(request)).finally(() => {
      isOver = true;
    });
    for (; !isOver; turns += 1) await nextTurn();
    mock.restoreAll();
    strictEqual((await deciding).businessHour.exception, null);
    ok(isFirst ? turns > 100 : turns === 1, `${turns} turns`);
  }
});
