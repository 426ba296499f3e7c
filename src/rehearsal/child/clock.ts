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
  return install({
    now,
    toFake: ["Date", "Intl", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "hrtime"],
  });
}

/** The longest delay that a timer can have. */
const LONGEST_DELAY_MS = 20 * 86_400_000;

/** Acts at an instant, which may be more than 24.8 days away. */
export function runAt(instant: number, act: () => void): void {
  const left = instant - Date.now();
  if (left > LONGEST_DELAY_MS) setTimeout(() => runAt(instant, act), LONGEST_DELAY_MS);
  else setTimeout(act, Math.max(0, left));
}
