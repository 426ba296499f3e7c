import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/** A wait that outlives its test would keep mocha from ending. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await condition()); await sleep(2))
    assert.ok(Date.now() < end, `not ${condition}`);
}
