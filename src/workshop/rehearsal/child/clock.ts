import { performance } from "node:perf_hooks";
import timersModule from "node:timers";
import promised from "node:timers/promises";
import { type Clock, install } from "@sinonjs/fake-timers";

/** Node's own, from before they were replaced. */
export const real = {
  setImmediate,
  hrtime: process.hrtime.bigint.bind(process.hrtime),
  cpuUsage: process.cpuUsage.bind(process),
};

/**
 * Code that has asked for the time so often, and has not yet given control back, waits for it in a loop: each further look lets a
 * millisecond pass. A call asks some fifteen times.
 */
const MOST_LOOKS = 5_000_000;

/** The clock of a rehearsal. It stands still until `next` is called, but for code that waits for it in a loop. */
export class VirtualClock {
  #looks = 0;
  /** The instant to which looks have moved the clock. */
  #reached = -Infinity;
  #isMoved = false;

  constructor(private readonly clock: Clock) {}

  /** Returns the instant, for code that asks. */
  look(): number {
    this.#looks += 1;
    if (this.#looks > MOST_LOOKS) {
      this.#reached = Math.max(this.clock.now, this.#reached) + 1;
      this.#isMoved = true;
      this.clock.now = this.#reached;
    }
    return Math.max(this.clock.now, this.#reached);
  }

  /** Notes that the event loop has turned. Timers that the looks have made late are run. */
  turned(): void {
    this.#looks = 0;
    while (this.#isMoved) {
      this.#isMoved = false;
      this.clock.now = Math.max(this.clock.now, this.#reached);
      this.clock.jump(0);
    }
  }

  /** Jumps to the next timer, and runs it. */
  next(): void {
    this.clock.next();
  }

  runDue(): void {
    this.clock.tick(0);
  }
}

/**
 * Replaces `Date`, timers, `timers/promises`, `performance` and `hrtime` in this process.
 * @param now epoch milliseconds
 */
export function installClock(now: number): VirtualClock {
  const timers = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "hrtime"] as const;
  const clock = install({
    now,
    toFake: [...timers, "Intl", ...("Temporal" in globalThis ? (["Temporal"] as const) : [])],
  });
  const virtual = new VirtualClock(clock);
  globalThis.Date = dateOf(virtual);
  replaceStamps(virtual, now);
  for (const each of [globalThis, timersModule]) {
    const { setInterval: original } = each;
    const repeat = (act: () => void, delay?: number, ...given: []) => original(act, lasting(delay), ...given);
    Object.assign(each, { setInterval: repeat });
  }
  const { setInterval: iterate } = promised;
  Object.assign(promised, { setInterval: (delay?: number, ...given: []) => iterate(lasting(delay), ...given) });
  return virtual;
}

/** Corrects a delay as Node.js does. Otherwise an interval could repeat for ever at the same instant. */
function lasting(delay: number | undefined): number {
  return Math.max(1, Number(delay) || 1);
}

/** Gives `performance` and events the time of the clock. The library replaces only `now`, but for a global that does nothing. */
function replaceStamps(clock: VirtualClock, timeOrigin: number): void {
  const now = performance.now.bind(performance);
  const { hrtime } = process;
  const looking =
    <Given extends unknown[], T>(read: (...given: Given) => T) =>
    (...given: Given) => {
      clock.look();
      return read(...given);
    };
  process.hrtime = Object.assign(looking(hrtime), { bigint: looking(hrtime.bigint.bind(hrtime)) });
  const [mark, measure] = [performance.mark.bind(performance), performance.measure.bind(performance)];
  const replaced = {
    timeOrigin,
    now: looking(now),
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
function dateOf(clock: VirtualClock): DateConstructor {
  const Native = Date;
  function Virtual(...given: unknown[]) {
    if (new.target === undefined) return new Native(clock.look()).toString();
    const parts = (given.length === 0 ? [clock.look()] : given) as [number];
    return new.target === Virtual ? new Native(...parts) : Reflect.construct(Native, parts, new.target);
  }
  Native.prototype.constructor = Virtual;
  const { prototype, parse, UTC } = Native;
  return Object.assign(Virtual, { prototype, parse, UTC, now: () => clock.look() }) as unknown as DateConstructor;
}

const LONGEST_DELAY_MS = 20 * 86_400_000;

/** Acts at an instant, which may be more than 24.8 days away. */
export function runAt(instant: number, act: () => void): void {
  const left = instant - Date.now();
  if (left > LONGEST_DELAY_MS) setTimeout(() => runAt(instant, act), LONGEST_DELAY_MS);
  else setTimeout(act, Math.max(0, left));
}
