import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Deadlines } from "../../../src/tenant/queue/deadlines";

interface Entry {
  readonly name: string;
  readonly deadlineAt: number;
}

describe("the deadlines of requests in flight", () => {
  /** Watches entries from now on, each due so many milliseconds later. */
  function watched(...due: readonly (readonly [name: string, afterMs: number])[]) {
    const inFlight = new Set<Entry>();
    const struck: string[] = [];
    const early: string[] = [];
    const deadlines = new Deadlines<Entry>(
      () => [...inFlight],
      (entry) => {
        if (performance.now() < entry.deadlineAt) early.push(entry.name);
        struck.push(entry.name);
        inFlight.delete(entry);
      },
    );
    for (const [name, afterMs] of due) {
      const entry = { name, deadlineAt: performance.now() + afterMs };
      inFlight.add(entry);
      deadlines.watch(entry);
    }
    const end = (name: string) => {
      for (const entry of inFlight) if (entry.name === name) inFlight.delete(entry);
    };
    return { struck, early, inFlight, end, deadlines };
  }

  it("strike each once, in order, and never early", async () => {
    const { struck, early, inFlight } = watched(["first", 10], ["second", 40], ["third", 40.5], ["last", 80]);
    while (inFlight.size > 0) await sleep(5);
    assert.deepEqual(struck, ["first", "second", "third", "last"]);
    assert.deepEqual(early, []);
  });

  it("forget what has ended, and still watch what comes after it", async () => {
    const { struck, inFlight, end } = watched(["ended", 10], ["late", 40]);
    end("ended");
    while (inFlight.size > 0) await sleep(5);
    assert.deepEqual(struck, ["late"]);
  });

  it("watch again after a time with nothing in flight", async () => {
    const { struck, inFlight, end, deadlines } = watched(["ended", 10]);
    end("ended");
    await sleep(30);
    const entry = { name: "new", deadlineAt: performance.now() + 10 };
    inFlight.add(entry);
    deadlines.watch(entry);
    while (inFlight.size > 0) await sleep(5);
    assert.deepEqual(struck, ["new"]);
  });

  it("strike no more once closed", async () => {
    const { struck, deadlines } = watched(["due", 10]);
    deadlines.close();
    await sleep(40);
    assert.deepEqual(struck, []);
  });
});
