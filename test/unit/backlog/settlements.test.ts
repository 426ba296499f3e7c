import assert from "node:assert/strict";
import type { Group } from "../../../src/backlog/redis/group";
import { Settlements } from "../../../src/backlog/redis/settlements";

describe("settlements in Redis", () => {
  it("resolve when they are written, though others keep coming, and those of one moment are written together", async () => {
    const written: string[][] = [];
    const insist = async (_name: string, ...args: string[]) => {
      written.push(args);
      if (written.length < 5) void settlements.write(["later", "applied"]);
      await new Promise(setImmediate);
    };
    const settlements = new Settlements({ insist } as unknown as Group);
    await Promise.all([settlements.write(["1", "applied"]), settlements.write(["2", "rejected"])]);
    assert.deepEqual(written[0], ["1", "applied", "2", "rejected"]);
    assert.ok(written.length <= 2, `${written.length} were written before`);
    await settlements.end();
    assert.equal(written.length, 5);
  });
});
