import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { install } from "@sinonjs/fake-timers";
import type { Entry } from "../../../src/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";
import { lineOf } from "../../../src/backlog/file/line";
import type { RestoredState } from "../../../src/backlog/store";
import { until } from "../../support/until";
import { onFullDisk } from "./on-full-disk";

const place = async () => join(await mkdtemp(join(tmpdir(), "store-")), "a.journal");
const entry = (id: string): Entry => ({ id, nodeId: "n", size: 1, content: '{"to":"0000000000"}' });

async function restoredFrom(path: string): Promise<{ restored: RestoredState; damaged: number }> {
  const { store, restored, damaged } = await FileStore.open(path);
  await store.close();
  return { restored, damaged };
}

const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);

describe("a store in a file", () => {
  it("knows after a restart what waited, what had begun, and what had ended unreported", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const id of ["w1", "b", "e", "f", "u", "w2"]) await store.accept(entry(id));
    for (const id of ["b", "e", "f", "u"]) await store.begin(entry(id));
    for (const id of ["e", "f"]) await store.settle(entry(id), "applied");
    store.forget(entry("f"));
    await store.requeue(entry("u"));
    await store.close();
    // A second restart knows the same.
    for (let n = 0; n < 2; n += 1) {
      const { restored, damaged } = await restoredFrom(path);
      assert.equal(damaged, 0);
      assert.deepEqual(ids(restored.waiting), ["w1", "u", "w2"]);
      assert.deepEqual(ids(restored.begun), ["b"]);
      assert.deepEqual(restored.settled, [{ entry: entry("e"), outcome: "applied" }]);
    }
  });

  it("is not written again at a start, unless a line is damaged, which is told once", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const id of ["1", "2"]) await store.accept(entry(id));
    await store.close();
    const { ino } = await stat(path);
    assert.equal((await restoredFrom(path)).damaged, 0);
    assert.equal((await stat(path)).ino, ino);
    const bytes = await readFile(path);
    bytes[bytes.indexOf('"accept"') + 1] = 0;
    await writeFile(path, bytes);
    assert.equal((await restoredFrom(path)).damaged, 1);
    const { restored, damaged } = await restoredFrom(path);
    assert.equal(damaged, 0);
    assert.deepEqual(ids(restored.waiting), ["2"]);
  });

  it("does not restore what was replaced, although its end was not reported", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.accept(entry("1"));
    await store.accept(entry("2"), undefined, entry("1"));
    await store.close();
    const { waiting, settled } = (await restoredFrom(path)).restored;
    assert.deepEqual([ids(waiting), settled.map(({ outcome }) => outcome)], [["2"], ["not-applied"]]);
  });

  it("holds back what waits when a line was damaged, but for dates to come, until a person has looked", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const id of ["1", "2"]) await store.accept(entry(id));
    await store.accept({ ...entry("3"), notBefore: Date.now() + 60_000 });
    await store.close();
    const bytes = await readFile(path);
    bytes[bytes.indexOf('"accept"') + 1] = 0;
    await writeFile(path, bytes);
    for (let start = 0; start < 2; start += 1) {
      const { waiting, paused } = (await restoredFrom(path)).restored;
      const held = waiting.map(({ id, heldBack = false }) => [id, heldBack]);
      assert.deepEqual(
        [held, paused],
        [
          [
            ["2", true],
            ["3", false],
          ],
          false,
        ],
      );
    }
  });

  it("loses a whole line that makes no sense alone, and reports it as damaged", async () => {
    const unknown = [{}, { accepted: entry("3") }, { accept: null }, { accept: { ...entry("3"), size: "1" } }];
    const lines = [{ accept: entry("1") }, ...unknown, { accept: entry("2") }].map(lineOf);
    const notJson = Buffer.from("{");
    lines.push(
      Buffer.concat([Buffer.from(`\n${crc32(notJson).toString(16).padStart(8, "0")} `), notJson, Buffer.from("\n")]),
    );
    const path = await place();
    await writeFile(path, Buffer.concat(lines));
    const { restored, damaged } = await restoredFrom(path);
    assert.deepEqual([ids(restored.waiting), damaged], [["1", "2"], unknown.length + 1]);
  });

  it("refuses a journal of a newer version with a sentence, and changes nothing in it", async () => {
    const path = await place();
    const bytes = Buffer.concat([{ v: 3, now: 0, wall: 0 }, { accept: entry("1") }].map(lineOf));
    await writeFile(path, bytes);
    for (let attempt = 0; attempt < 2; attempt += 1) await assert.rejects(FileStore.open(path), /newer version/);
    assert.deepEqual(await readFile(path), bytes);
  });

  it("stays short while entries come and go", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.accept(entry("stays"));
    const large = { ...entry(""), content: "x".repeat(1000) };
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const id = `${round}-${n}`;
          await store.accept({ ...large, id });
          await store.begin(entry(id));
          await store.settle(entry(id), "applied");
          store.forget(entry(id));
        }),
      );
    }
    await store.close();
    assert.ok((await stat(path)).size < 3 * 2 ** 20);
    assert.deepEqual(ids((await restoredFrom(path)).restored.waiting), ["stays"]);
  });

  it("begins and ends what it has accepted although the disk is full", async () => {
    const path = await place();
    const found = (await onFullDisk("full-disk", path)) as Record<"accepted" | "refused" | "followedUp", string[]>;
    const { accepted, refused, followedUp } = found;
    assert.ok(accepted.length > 10 && refused.length > 0, `${accepted.length} accepted`);
    assert.deepEqual(followedUp, accepted);
    const { restored, damaged } = await restoredFrom(path);
    assert.equal(damaged, 0);
    assert.deepEqual([...restored.waiting, ...restored.begun], []);
    assert.deepEqual(
      restored.settled.map(({ entry: { id } }) => id),
      accepted,
    );
  });

  it("leaves the file alone once it is closed, although its last entry has ended while it closed", async () => {
    const { store } = await FileStore.open(await place());
    const clock = install({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await store.accept(entry("1"));
      await store.begin(entry("1"));
      void store.settle(entry("1"), "applied");
      store.forget(entry("1"));
      await store.close();
      assert.equal(clock.countTimers(), 0);
    } finally {
      clock.uninstall();
    }
  });

  it("forgets who was called when nothing waits any more, and keeps the keys", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    const keyed = { ...entry("1"), keys: [{ hash: "hash of a key", forMs: 60_000 }] };
    await store.accept(keyed);
    await store.begin(keyed);
    await store.settle(keyed, "applied");
    store.forget(keyed);
    await until(async () => !(await readFile(path, "utf8")).includes("0000000000"));
    await store.close();
    const next = await FileStore.open(path);
    assert.equal((await next.store.keys.try({ hash: "hash of a key", forMs: 1 })).kind, "duplicate");
    await next.store.close();
  });
});
