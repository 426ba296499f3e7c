import { mock } from "node:test";
import { settle } from "./stage";

/** Shorter timers run in real time: they spread statuses and let others run. */
const SHORTEST_MS = 900;

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

let restore: (() => void) | undefined;

afterEach(() => {
  restore?.();
  restore = undefined;
});

/**
 * The wall clock, the monotonic clock and all longer timers of this process stand still until a test moves them.
 * @param age of the process, whose clock may be set soon after its start, milliseconds
 */
export function virtualClock(start: string, age = 3_600_000) {
  restore?.();
  let wall = Date.parse(start);
  /** The time that has passed for timers: setting the wall clock does not wake them. */
  let passed = 0;
  const timers = new Map<object, Timer>();
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const set = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (!(ms >= SHORTEST_MS)) return real.setTimeout(run, ms, ...args);
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    timers.set(timer, { due: passed + ms, run: () => run(...args) });
    return timer;
  };
  const clear = (timer: object) => {
    if (!timers.delete(timer)) real.clearTimeout(timer as NodeJS.Timeout);
  };
  const mocks = [
    mock.method(Date, "now", () => wall).mock,
    mock.method(performance, "now", () => age + passed).mock,
    mock.method(globalThis, "setTimeout", set as never).mock,
    mock.method(globalThis, "clearTimeout", clear as never).mock,
  ];
  restore = () => {
    for (const each of mocks) each.restore();
  };

  async function advance(ms: number): Promise<void> {
    const end = passed + ms;
    for (;;) {
      await settle();
      const [first] = [...timers].sort(([, a], [, b]) => a.due - b.due);
      if (!first || first[1].due > end) break;
      const [handle, { due, run }] = first;
      timers.delete(handle);
      wall += due - passed;
      passed = due;
      run();
    }
    wall += end - passed;
    passed = end;
    await settle();
  }

  return {
    /** Lets time pass: timers wake in their order. */
    advance,
    /** Lets time pass up to an instant. */
    until: (instant: string) => advance(Date.parse(instant) - wall),
    /** Sets the wall clock as NTP or a user does. No timer notices. */
    set: (instant: string) => {
      wall = Date.parse(instant);
    },
    /** Timers that wait. */
    get waiting(): number {
      return timers.size;
    },
  };
}
