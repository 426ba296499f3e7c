import { performance } from "node:perf_hooks";
import { mock } from "node:test";

const held: { restore(): void }[] = [];

/** Lets the clocks run again; this also happens after each test. */
export function letGo(): void {
  for (let last = held.pop(); last; last = held.pop()) last.restore();
}

afterEach(letGo);

/**
 * Holds the clock of deadlines and rates, so that none is due before a test moves it, even on a busy machine.
 * Timers still fire; their owners find that it is early, and wait again.
 * @param now milliseconds since the process began
 */
export function holdClock(now = performance.now()): { advance(ms: number): void } {
  held.push(mock.method(performance, "now", () => now).mock);
  return {
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Sets the wall clock, which time limits use, ahead. Timers and deadlines are not affected. */
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
