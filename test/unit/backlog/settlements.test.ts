import assert from "node:assert/strict";
import { Settlements } from "../../../src/backlog/redis/entries";
import type { Group } from "../../../src/backlog/redis/membership";

describe("settlements in Redis", () => {
  it("resolve when they are written, though others keep coming, and those of one moment are written together", async () => {
    const written: string[][] = [];
    const insist = async (_name: string, ...args: string[]) => {
      written.push(args);
      if (written.length < 5) void settlements.write(["later", "applied"]);
      await new Promise(setImmediate);
    };
    const settlements = new Settlements({ insist } as unknown as Group, () => {});
    await Promise.all([settlements.write(["1", "applied"]), settlements.write(["2", "rejected"])]);
    assert.deepEqual(written[0], ["1", "applied", "2", "rejected"]);
    assert.ok(written.length <= 2, `${written.length} were written before`);
    await settlements.end();
    assert.equal(written.length, 5);
  });

  it("resolve in parts when there are many, so that the process goes on between them", async () => {
    const sizes: number[] = [];
    const insist = async (_name: string, ...args: string[]) => void sizes.push(args.length / 2);
    const settlements = new Settlements({ insist } as unknown as Group, () => {});
    const ended: number[] = [];
    const ends = Array.from({ length: 450 }, (_, n) =>
      settlements.write([`${n}`, "rejected"]).then(() => ended.push(n)),
    );
    await Promise.all(ends);
    assert.deepEqual(sizes, [200, 200, 50]);
    assert.deepEqual(
      ended,
      Array.from({ length: 450 }, (_, n) => n),
    );
  });
});
