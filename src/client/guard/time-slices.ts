import { setImmediate as immediate } from "node:timers/promises";

const SLICE_MS = 10;
/** Work of so many steps is done at once. */
const FEW_STEPS = 100;

/** Carries out work that yields after each step. Lets the process do other things in between if there are many steps. */
export function inTimeSlices<Result>(work: Generator<undefined, Result>): Result | Promise<Result> {
  for (let step = 0; step < FEW_STEPS; step += 1) {
    const { done, value } = work.next();
    if (done) return value;
  }
  return rest(work);
}

async function rest<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    await immediate();
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const { done, value } = work.next();
      if (done) return value;
    }
  }
}
