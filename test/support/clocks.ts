import { performance } from "node:perf_hooks";
import { mock } from "node:test";

const held: { restore(): void }[] = [];

/** The clocks go on as they do; after each test they do anyway. */
export function letGo(): void {
  for (let last = held.pop(); last; last = held.pop()) last.restore();
}

afterEach(letGo);

/**
 * Holds the clock that deadlines and rates go by, so that none falls due before a test says so, however busy the machine.
 * Timers go on: whom they wake finds that it is early, and waits again.
 */
export function holdClock(): { advance(ms: number): void } {
  let now = performance.now();
  held.push(mock.method(performance, "now", () => now).mock);
  return {
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Puts the wall clock, which time limits go by, ahead. Timers and deadlines do not notice. */
export function putClockAhead(ms: number): void {
  const { now } = Date;
  held.push(mock.method(Date, "now", () => now() + ms).mock);
}

/** Stops the wall clock at an instant, until it is set to another. Timers go on. */
export function stopClockAt(iso: string): { set(iso: string): void } {
  let now = Date.parse(iso);
  held.push(mock.method(Date, "now", () => now).mock);
  return {
    set: (next) => {
      now = Date.parse(next);
    },
  };
}
