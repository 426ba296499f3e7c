import { setTimeout } from "node:timers/promises";

/** Milliseconds on a quiet machine: looks are counted, so that a busy one is given more. CI waits for the slowest. */
export const LIMIT_MS = process.env["CI"] ? 120_000 : 15_000;
const PAUSE_MS = 5;
/** Not that of a test which replaces the timers. */
const sleep = setTimeout;

/** Returns how many generated cases a test tries: CI tries all of them, somebody who waits for the result a fifth. */
export const casesOf = (all: number): number => (process.env["CI"] ? all : Math.ceil(all / 5));

/** Waits until a condition holds; fails with its text, or the given one, if it never does. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  words = String(holds),
  limitMs = LIMIT_MS,
): Promise<void> {
  for (let left = limitMs / PAUSE_MS; !(await holds()); left -= 1, await sleep(PAUSE_MS))
    if (left <= 0) throw new Error(`not within ${limitMs / 1000} s: ${words}`);
}
