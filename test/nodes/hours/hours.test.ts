import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { mock } from "node:test";
import type { NodeAPI } from "node-red";
import { readSchedule } from "../../../src/hours";
import { NO_SOURCES } from "../../../src/runtime/node-red/host";
import { calendarAt, knownCalendar } from "../../../src/runtime/schedules/calendars";
import { Hours } from "../../../src/runtime/schedules/hours";
import { ALWAYS } from "../../support/business-hours";
import { flowOf, load, withTenant } from "../../support/stage";

const ADDRESS = new URL("https://127.0.0.1:1/holidays.ics");

describe("hours that are followed", () => {
  withTenant();

  it("leave no timer and no calendar once nobody follows them", async () => {
    // The calendars of nodes that are gone are forgotten when the flows run.
    await load(flowOf({}));
    const timers = new Set<unknown>();
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    mock.method(globalThis, "setTimeout", (...args: Parameters<typeof set>) => {
      const timer = set(...args);
      timers.add(timer);
      return timer;
    });
    mock.method(globalThis, "clearTimeout", (timer: NodeJS.Timeout) => {
      timers.delete(timer);
      clear(timer);
    });
    try {
      let followers = 0;
      const schedules = {
        follow: () => {
          followers += 1;
          return () => (followers -= 1);
        },
        peek: () => ({ value: readSchedule({ days: ALWAYS }), problem: undefined }),
        get: () => Promise.reject(new Error("nothing is read")),
      };
      const RED = { settings: {}, _: String, nodes: { getNode: () => null } } as unknown as NodeAPI;
      const pairs = { scheduleName: "Office", exceptions: ADDRESS.href, exceptionsType: "url" };
      const source = {
        pairs,
        schedules,
        zone: "UTC",
        refreshMs: 1000,
        fromTenant: true,
        exceptionsField: "exceptions",
      } as const;
      const hours = await Hours.open(source, { ...NO_SOURCES, calendar: (address) => calendarAt(RED, address) });
      const shown = new Promise<boolean | undefined>((resolve) => {
        hours.follow(
          () => () => {
            resolve(hours.at(Date.now())?.open);
            return Number.POSITIVE_INFINITY;
          },
          () => {},
        );
      });
      deepStrictEqual([followers, knownCalendar(ADDRESS)?.isFollowed], [1, true]);
      strictEqual(await shown, true);
      const calendar = knownCalendar(ADDRESS);
      await calendar?.renewal;
      strictEqual(timers.size > 0, true);
      hours.close();
      await new Promise((resolve) => setImmediate(resolve));
      deepStrictEqual([followers, calendar?.isFollowed, knownCalendar(ADDRESS)], [0, false, undefined]);
      await hours.renew();
      const own = [...timers].filter(
        (timer) => (timer as NodeJS.Timeout).hasRef() && !(timer as { _destroyed?: boolean })._destroyed,
      );
      deepStrictEqual(own.length, 0);
    } finally {
      mock.restoreAll();
    }
  });
});
