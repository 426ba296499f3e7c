import { performance } from "node:perf_hooks";
import { type Clock, install } from "@sinonjs/fake-timers";

/** Node's own, from before they were replaced. */
export const real = {
  setImmediate,
  hrtime: process.hrtime.bigint.bind(process.hrtime),
  cpuUsage: process.cpuUsage.bind(process),
};

/**
 * Replaces `Date`, timers, `timers/promises`, `performance` and `hrtime` in this process. The clock stands still until `next` is called.
 * @param now epoch milliseconds
 */
export function installClock(now: number): Clock {
  const timers = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "hrtime"] as const;
  const clock = install({
    now,
    toFake: [...timers, "Intl", ...("Temporal" in globalThis ? (["Temporal"] as const) : [])],
  });
  globalThis.Date = dateOf(clock);
  replaceStamps(now);
  return clock;
}

/** Gives `performance` and events the time of the clock. The library replaces only `now`, but for a global that does nothing. */
function replaceStamps(timeOrigin: number): void {
  const [mark, measure] = [performance.mark.bind(performance), performance.measure.bind(performance)];
  const replaced = {
    timeOrigin,
    mark: (name: string, options?: PerformanceMarkOptions) => mark(name, { startTime: performance.now(), ...options }),
    measure(name: string, from?: string | PerformanceMeasureOptions, to?: string) {
      const ends = { ...(from !== undefined && { start: from }), ...(to !== undefined && { end: to }) };
      const given = typeof from === "object" ? from : (ends as PerformanceMeasureOptions);
      // Without an end, it is the real time.
      const isOpen = given.end === undefined && (given.start === undefined || given.duration === undefined);
      return measure(name, isOpen ? { ...given, end: performance.now() } : given);
    },
  };
  for (const [name, value] of Object.entries(replaced)) Object.defineProperty(performance, name, { value });
  Object.assign(globalThis, { performance });
  const stamps = new WeakMap<Event, number>();
  Object.defineProperty(Event.prototype, "timeStamp", {
    get(this: Event) {
      const stamp = stamps.get(this) ?? performance.now();
      stamps.set(this, stamp);
      return stamp;
    },
  });
}

/** A `Date` that follows the clock. The one of the library takes twenty times as long to construct, a quarter of the time of a week with a calendar. */
function dateOf(clock: Clock): DateConstructor {
  const Native = Date;
  function Virtual(...given: unknown[]) {
    if (new.target === undefined) return new Native(clock.now).toString();
    const parts = (given.length === 0 ? [clock.now] : given) as [number];
    return new.target === Virtual ? new Native(...parts) : Reflect.construct(Native, parts, new.target);
  }
  Native.prototype.constructor = Virtual;
  const { prototype, parse, UTC } = Native;
  return Object.assign(Virtual, { prototype, parse, UTC, now: () => clock.now }) as unknown as DateConstructor;
}

/** The longest delay that a timer can have. */
const LONGEST_DELAY_MS = 20 * 86_400_000;

/** Acts at an instant, which may be more than 24.8 days away. */
export function runAt(instant: number, act: () => void): void {
  const left = instant - Date.now();
  if (left > LONGEST_DELAY_MS) setTimeout(() => runAt(instant, act), LONGEST_DELAY_MS);
  else setTimeout(act, Math.max(0, left));
}
