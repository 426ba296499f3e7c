import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileStore } from "../../../src/backlog/file/file-store";
import { failing } from "./failing-disk";
import { onFullDisk } from "./on-full-disk";

const place = async () => join(await mkdtemp(join(tmpdir(), "records-")), "a.journal");

async function recordsIn(path: string): Promise<unknown[][]> {
  const { store, restored } = await FileStore.open(path);
  await store.close();
  return [...restored.records].sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("records in a journal", () => {
  it("stay in a journal that is written anew, and what was removed does not come back", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.record("stays", "x");
    for (let round = 0; round < 40; round += 1) {
      const names = Array.from({ length: 100 }, (_, n) => `record ${round} ${n}`);
      await Promise.all(names.map((name) => store.record(name, "x".repeat(1000))));
      await Promise.all(names.map((name) => store.record(name, undefined)));
    }
    await store.close();
    assert.ok((await stat(path)).size < 3 * 2 ** 20);
    assert.deepEqual(await recordsIn(path), [["stays", "x"]]);
  });

  it("lose no more than the change whose line is damaged, and no removal", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const name of ["a", "b"]) await store.record(name, 1);
    await store.record("a", "second value");
    await store.record("b", undefined);
    await store.close();
    const damage = async (text: string) => {
      const bytes = await readFile(path);
      bytes[bytes.lastIndexOf(text)] = 0x21;
      await writeFile(path, bytes);
    };
    await damage("second value");
    await damage('{"record":"b"}');
    assert.deepEqual(await recordsIn(path), [["a", 1]]);
  });

  it("are removed although the disk is full", async () => {
    const path = await place();
    const found = (await onFullDisk("full-records", path)) as Record<"created" | "refused", number>;
    const { created, refused } = found;
    assert.ok(created > 10 && refused > 0, JSON.stringify(found));
    assert.deepEqual(await recordsIn(path), []);
  });

  it("are removed once the disk works again", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const name of ["a", "b"]) await store.record(name, 1);
    const works = await failing("EIO", "write");
    const removing = ["a", "b"].map((name) => store.record(name, undefined));
    try {
      await assert.rejects(store.record("c", 1), /EIO/);
    } finally {
      works();
    }
    // This one is created anew meanwhile.
    await store.record("b", 2);
    await Promise.all(removing);
    await store.close();
    assert.deepEqual(await recordsIn(path), [["b", 2]]);
  });
});
