import assert from "node:assert/strict";
import { MemoryStore } from "../../../src/backlog";
import { asUnknown, Decisions } from "../../../src/backlog/decisions";
import type { Entry } from "../../../src/backlog/entry";

const DAY = 86_400_000;
const MB = 1024 * 1024;

describe("entries whose outcome is unknown", () => {
  const entry = (id: string, at: number, size = 1): Entry =>
    asUnknown({ id, nodeId: "a", size, content: "1" }, { at, code: "ERR_TIMEOUT" });
  const idsOf = async (decisions: Decisions) => (await decisions.list()).map(({ id }) => id);

  it("are kept for 30 days", async () => {
    let now = 100 * DAY;
    const decisions = new Decisions(new MemoryStore(), () => now);
    decisions.keep([entry("old", now - 2 * DAY)]);
    decisions.keep([entry("new", now)]);
    now += 28 * DAY;
    assert.deepEqual(await idsOf(decisions), ["old", "new"]);
    now += 1;
    assert.deepEqual(await idsOf(decisions), ["new"]);
    for (const as of ["rang", "did-not-ring"] as const)
      assert.deepEqual(await decisions.decide("old", as), { settled: 0, tooLate: 0 });
    assert.deepEqual(await decisions.decide("new", "rang"), { settled: 1, tooLate: 0 });
    assert.equal(decisions.count, 0);
  });

  it("have 16 MB at most, and the oldest goes", async () => {
    const decisions = new Decisions(new MemoryStore(), Date.now);
    let [full, changed] = [0, 0];
    decisions.handlers = { onUnknownFull: () => void full++, onChange: () => void changed++ };
    const now = Date.now();
    for (const [index, id] of ["a", "b"].entries()) decisions.keep([entry(id, now + index, 8 * MB)]);
    assert.deepEqual([await idsOf(decisions), full], [["a", "b"], 0]);
    decisions.keep([entry("c", now + 2, MB)]);
    assert.deepEqual([await idsOf(decisions), full, decisions.count], [["b", "c"], 1, 2]);
    assert.ok(changed >= 3);
  });
});
