import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import { util } from "@node-red/util";
import type { Node, NodeAPI } from "node-red";
import { notSent, type TenantError } from "../../../src/client";
import { readSchedule, type Schedule } from "../../../src/hours";
import { hostOf } from "../../../src/runtime/node-red/host";
import { StatusLine } from "../../../src/runtime/node-red/status";
import { CallingHoursMonitor } from "../../../src/runtime/schedules/calling-hours-monitor";
import type { HoursSettings } from "../../../src/runtime/schedules/calling-hours-settings";

/** Levels of the log's lines. */
const logged: string[] = [];
/** Words as a catalogue would make them, of key and parameters. */
const RED = {
  util,
  log: { warn: () => logged.push("warn"), info: () => logged.push("info") },
  _: (key: string, params: Record<string, string>) =>
    [key.replace(/^.*:status\./, ""), ...Object.values(params)].join(" "),
} as unknown as NodeAPI;
const HOST = hostOf(RED, { id: "t1", warn: () => {} } as unknown as Node);

const MINUTE = 60_000;
const week = (open: string, close: string, ...days: string[]) =>
  readSchedule({ days: days.map((day) => ({ day, open, close })) });

describe("calling hours as time passes", () => {
  /** The changes that the client heard: whether calls may leave, at each change. */
  let changes: [at: string, isOpen: boolean][];
  let known: { value?: Schedule; problem?: TenantError } | undefined;
  let changed: () => void;
  let followed: number;
  let hours: CallingHoursMonitor;
  /** The wall clock, which timers do not notice. */
  let clock: number;

  beforeEach(() => {
    changes = [];
    logged.length = 0;
    followed = 0;
    clock = Date.parse("2026-11-23T07:00:00Z");
    mock.method(Date, "now", () => clock);
    mock.timers.enable({ apis: ["setTimeout"] });
    hours = new CallingHoursMonitor(RED, "Main");
  });
  afterEach(() => {
    hours.close();
    mock.timers.reset();
    mock.restoreAll();
  });

  const now = () => new Date(Date.now()).toISOString().slice(0, 16);
  /** Awaits the promises of what a timer has begun. */
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  /** A minute at a time, as the clock is watched. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock += MINUTE;
      mock.timers.tick(MINUTE);
      await turns();
    }
  };

  async function follow(schedule: Schedule | undefined, more: Partial<HoursSettings> = {}): Promise<void> {
    known = schedule && { value: schedule };
    const schedules = {
      follow: (_key: unknown, renew: () => void) => {
        changed = renew;
        followed += 1;
        return () => (followed -= 1);
      },
      isMissing: () => false,
      peek: () => known as never,
      get: () => known as never,
    };
    const client = { hoursChanged: () => changes.push([now(), hours.isOpen]) };
    const settings = { name: "Office", zone: "UTC", exceptions: { value: [], type: "list" }, ...more };
    hours.follow(settings, { client, schedules }, HOST);
    await turns();
  }

  it("begin and end, each reported when it comes", async () => {
    await follow(week("08:00", "09:00", "mon"));
    deepStrictEqual([hours.isOpen, hours.opensAt], [false, "2026-11-23T08:00:00+00:00"]);
    await pass(130);
    deepStrictEqual(changes, [
      ["2026-11-23T07:00", false],
      ["2026-11-23T08:00", true],
      ["2026-11-23T09:00", false],
    ]);
    strictEqual(hours.opensAt, "2026-11-30T08:00:00+00:00");
  });

  it("follow a clock that is put ahead or back, at once for calls, and for the rest within a minute", async () => {
    await follow(week("08:00", "09:00", "mon"));
    clock = Date.parse("2026-11-23T08:30:00Z");
    strictEqual(hours.isOpen, true);
    await pass(1);
    deepStrictEqual(changes.at(-1), ["2026-11-23T08:31", true]);
    clock = Date.parse("2026-11-23T06:00:00Z");
    strictEqual(hours.isOpen, false);
    await pass(1);
    deepStrictEqual(changes.at(-1), ["2026-11-23T06:01", false]);
  });

  it("were open for a moment between two instants, by the week and its exceptions, once they are known", async () => {
    const wasOpen = (from: string, until: string) => hours.wasOpen(Date.parse(from), Date.parse(until));
    const sunday = "2026-11-22T12:00:00Z";
    await follow(undefined);
    strictEqual(wasOpen(sunday, "2026-11-23T08:01:00Z"), undefined);
    await follow(week("08:00", "09:00", "mon"));
    const between = [
      [sunday, "2026-11-23T08:00:00Z", false],
      [sunday, "2026-11-23T08:01:00Z", true],
      [sunday, "2026-11-23T12:00:00Z", true],
      ["2026-11-23T08:59:59Z", "2026-11-23T12:00:00Z", true],
      ["2026-11-23T09:00:00Z", "2026-11-30T08:00:00Z", false],
      // The clock was set back: nobody knows.
      ["2026-11-23T12:00:00Z", "2026-11-23T10:00:00Z", true],
    ] as const;
    for (const [from, until, expected] of between) strictEqual(wasOpen(from, until), expected, `${from} ${until}`);
    await follow(week("08:00", "09:00", "mon"), { exceptions: { value: [{ date: "2026-11-23" }], type: "list" } });
    strictEqual(wasOpen(sunday, "2026-11-24T12:00:00Z"), false);
  });

  it("tell of midnight, since a status names days", async () => {
    await follow(week("08:00", "09:00", "wed"));
    await pass(24 * 60);
    deepStrictEqual(
      changes.map(([at]) => at),
      ["2026-11-23T07:00", "2026-11-24T00:00"],
    );
    strictEqual(hours.today, "2026-11-24");
  });

  it("rest without a problem before the first reading, with one while there is no schedule", async () => {
    await follow(undefined);
    deepStrictEqual([hours.isOpen, hours.problem, logged], [false, undefined, []]);
    const problem = notSent("ERR_SCHEDULE", "input", { key: "schedule.none" });
    known = { problem };
    changed();
    await turns();
    deepStrictEqual([hours.isOpen, hours.problem, logged], [false, problem, ["warn"]]);
    changed();
    await turns();
    strictEqual(logged.length, 1);
    known = { value: week("00:00", "00:00", "mon"), problem };
    changed();
    await turns();
    deepStrictEqual([hours.isOpen, hours.problem, logged], [true, undefined, ["warn", "info"]]);
  });

  it("follow one schedule at a time, and leave no timer", async () => {
    await follow(week("08:00", "09:00", "mon"));
    await follow(week("08:00", "09:00", "mon"));
    strictEqual(followed, 1);
    await follow(week("10:00", "11:00", "mon"), { name: "Night" });
    strictEqual(followed, 1);
    hours.close();
    const before = changes.length;
    await pass(24 * 60);
    deepStrictEqual([followed, changes.length], [0, before]);
  });

  it("rest while the exceptions of another deploy are read", async () => {
    await follow(week("00:00", "00:00", "mon"));
    strictEqual(hours.isOpen, true);
    const exceptions = { value: [{ date: "2026-11-23" }], type: "list" };
    const followed = follow(week("00:00", "00:00", "mon"), { exceptions });
    strictEqual(hours.isOpen, false);
    await followed;
    strictEqual(hours.isOpen, false);
    ok(changes.every(([, isOpen], index) => isOpen === (index === 0)));
  });

  describe("in a status", () => {
    const shown = (at: string) => {
      const texts: string[] = [];
      const status = ({ text }: { text: string }) => texts.push(text);
      const node = { id: "n1", status, on: () => {} } as unknown as Node;
      clock = Date.parse(at);
      new StatusLine(RED, node, { mode: "live" }).waiting(
        { count: 1 },
        {
          paused: false,
          heldUntil: undefined,
          reason: undefined,
          callingHours: hours,
        },
      );
      return texts.at(-1);
    };

    it("name the day within a week, the time on the same day, the date beyond", async () => {
      await follow(week("08:00", "09:00", "mon"));
      strictEqual(shown("2026-11-22T10:00:00Z"), "waitsUntil days.mon 08:00");
      strictEqual(shown("2026-11-23T07:00:00Z"), "waitsUntil 08:00");
      strictEqual(shown("2026-11-23T10:00:00Z"), "waitsUntil 2026-11-30 08:00");
    });

    it("name the day of the zone in which they count", async () => {
      await follow(week("08:00", "09:00", "mon"), { zone: "Asia/Ho_Chi_Minh" });
      strictEqual(shown("2026-11-22T16:00:00Z"), "waitsUntil days.mon 08:00");
      strictEqual(shown("2026-11-22T18:00:00Z"), "waitsUntil 08:00");
    });

    it("name no time that is not known", async () => {
      await follow(undefined);
      strictEqual(shown("2026-11-22T10:00:00Z"), "waitsForHours");
    });
  });
});
