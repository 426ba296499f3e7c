import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { InFlight } from "../../../src/client/queue/in-flight";
import { until } from "../../support/until";

interface Entry {
  readonly name: string;
  readonly deadlineAt: number;
}

const due = (name: string, afterMs: number): Entry => ({ name, deadlineAt: performance.now() + afterMs });

describe("the deadlines of requests in flight", () => {
  /** Watches entries from now on, each due so many milliseconds later. */
  function watched(...all: readonly (readonly [name: string, afterMs: number])[]) {
    const struck: string[] = [];
    const early: string[] = [];
    const inFlight = new InFlight<Entry>((entry) => {
      if (performance.now() < entry.deadlineAt) early.push(entry.name);
      struck.push(entry.name);
      inFlight.remove(entry);
    });
    for (const [name, afterMs] of all) inFlight.add(due(name, afterMs));
    const end = (name: string) => {
      for (const entry of inFlight.list()) if (entry.name === name) inFlight.remove(entry);
    };
    return { struck, early, inFlight, end };
  }

  it("strike each once, and never early", async () => {
    const { struck, early, inFlight } = watched(["first", 10], ["second", 40], ["third", 40.5], ["last", 80]);
    await until(() => inFlight.list().length === 0);
    assert.deepEqual(struck.sort(), ["first", "last", "second", "third"]);
    assert.deepEqual(early, []);
  });

  it("remove ended entries, and still watch later ones", async () => {
    const { struck, inFlight, end } = watched(["ended", 10], ["late", 40]);
    end("ended");
    await until(() => inFlight.list().length === 0);
    assert.deepEqual(struck, ["late"]);
  });

  it("watch again after a time with nothing in flight", async () => {
    const { struck, inFlight, end } = watched(["ended", 10]);
    end("ended");
    await sleep(30);
    inFlight.add(due("new", 10));
    await until(() => inFlight.list().length === 0);
    assert.deepEqual(struck, ["new"]);
  });

  it("strike no more once closed", async () => {
    const { struck, inFlight } = watched(["due", 10]);
    inFlight.close();
    await sleep(40);
    assert.deepEqual(struck, []);
  });
});
