import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** A wait that outlives its test would keep mocha from ending. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await condition()); await sleep(2))
    assert.ok(performance.now() < end, `not ${condition}`);
}
