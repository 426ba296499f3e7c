import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Journal } from "../../../src/backlog/file/journal";
import { casesOf } from "../../support/until";

async function place(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "journal-")), "telephony", "a.journal");
}

const appended = (journal: Journal, record: object) =>
  new Promise<void>((resolve, reject) => {
    journal.append(record, (error) => (error ? reject(error) : resolve()));
  });

async function recordsIn(path: string): Promise<{ records: readonly object[]; damaged: number }> {
  const { journal, records, damaged } = await Journal.open(path);
  await journal.close();
  return { records, damaged };
}

describe("the journal of a backlog", () => {
  it("gives back what was appended, in order", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    await Promise.all(Array.from({ length: 500 }, (_, n) => appended(journal, { n, text: "tổng đài\n" })));
    await journal.close();
    const { records, damaged } = await recordsIn(path);
    assert.equal(damaged, 0);
    assert.deepEqual(
      records,
      Array.from({ length: 500 }, (_, n) => ({ n, text: "tổng đài\n" })),
    );
  });

  it("can be read by its owner alone", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    await appended(journal, {});
    await journal.rewrite(() => [{}]);
    await journal.close();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("loses the last line only, if it was cut off, and counts no damage for it", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    for (const n of [1, 2, 3]) await appended(journal, { n });
    await journal.close();
    const whole = (await readFile(path)).subarray(0, journal.length);
    const lines = whole.toString().trimEnd().split("\n");
    const third = whole.length - (lines[2] ?? "").length - 1;
    for (let cut = third; cut < whole.length; cut += 1) {
      await writeFile(path, whole.subarray(0, cut));
      assert.deepEqual(await recordsIn(path), { records: [{ n: 1 }, { n: 2 }], damaged: 0 });
    }
  });

  it("appends behind a line that was cut off", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    await appended(journal, { n: 1 });
    await journal.close();
    const whole = (await readFile(path)).subarray(0, journal.length);
    await writeFile(path, Buffer.concat([whole, Buffer.from('0badc0de {"n":2,')]));
    const again = await Journal.open(path);
    await appended(again.journal, { n: 3 });
    await again.journal.close();
    assert.deepEqual(await recordsIn(path), { records: [{ n: 1 }, { n: 3 }], damaged: 0 });
  });

  it("loses no other line to a flipped bit, and counts it", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    const all = Array.from({ length: 20 }, (_, n) => ({ n, to: "0000000000" }));
    for (const record of all) await appended(journal, record);
    await journal.close();
    const whole = (await readFile(path)).subarray(0, journal.length);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const flipped = Buffer.from(whole);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
        await writeFile(path, flipped);
        const { records, damaged } = await recordsIn(path);
        const known = new Set(all.map((record) => JSON.stringify(record)));
        // A damaged line feed joins two lines, or cuts off the last one.
        assert.ok(records.length >= 18);
        assert.ok(damaged >= 1 || records.length === 19);
        for (const record of records) assert.ok(known.has(JSON.stringify(record)), JSON.stringify(record));
      }),
      { numRuns: casesOf(300) },
    );
  });

  it("keeps the room that it has for later lines", async () => {
    const path = await place();
    const { journal } = await Journal.open(path, () => 3 * 2 ** 20);
    await appended(journal, { n: 1 });
    await journal.close();
    const { size } = await stat(path);
    assert.ok(size > 3 * 2 ** 20);
    const again = await Journal.open(path);
    assert.deepEqual([again.records, again.damaged, again.journal.lines], [[{ n: 1 }], 0, 1]);
    await again.journal.close();
    assert.equal((await stat(path)).size, size);
  });

  it("reads lines that are longer than what it reads at once", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    const all = [0.4, 3, 0.8, 1].map((length, n) => ({ n, text: String(n).repeat(length * 2 ** 20) }));
    for (const record of all) await appended(journal, record);
    await journal.close();
    assert.deepEqual(await recordsIn(path), { records: all, damaged: 0 });
  });

  it("lets the process go on between many appends", async () => {
    const { journal } = await Journal.open(await place());
    let inThisTurn = 0;
    let most = 0;
    let settled = 0;
    const nextTurn = () => {
      inThisTurn = 0;
      if (settled < 5000) setImmediate(nextTurn);
    };
    setImmediate(nextTurn);
    await new Promise<void>((resolve) => {
      for (let n = 0; n < 5000; n += 1)
        journal.append({ n }, () => {
          settled += 1;
          inThisTurn += 1;
          most = Math.max(most, inThisTurn);
          if (settled === 5000) resolve();
        });
    });
    await journal.close();
    assert.ok(most <= 50, String(most));
  });

  it("keeps what is appended while it is rewritten", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    await Promise.all(Array.from({ length: 100 }, (_, n) => appended(journal, { n })));
    const rewritten = journal.rewrite(() => [{ n: "all" }]);
    const after = Array.from({ length: 10 }, (_, n) => appended(journal, { after: n }));
    await Promise.all([rewritten, ...after]);
    await journal.close();
    const { records } = await recordsIn(path);
    assert.deepEqual(records, [{ n: "all" }, ...Array.from({ length: 10 }, (_, n) => ({ after: n }))]);
  });

  it("ignores a new file that a crash left unfinished", async () => {
    const path = await place();
    const { journal } = await Journal.open(path);
    await appended(journal, { n: 1 });
    await journal.close();
    await writeFile(`${path}.new`, "0000");
    assert.deepEqual(await recordsIn(path), { records: [{ n: 1 }], damaged: 0 });
  });
});
