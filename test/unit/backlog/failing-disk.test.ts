import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Backlog, type Entry } from "../../../src/backlog";
import { Contents } from "../../../src/backlog/file/contents";
import { FileStore } from "../../../src/backlog/file/file-store";
import { linesOf } from "../../../src/backlog/file/line";
import { Lock, LockedError } from "../../../src/backlog/file/lock";
import { read } from "../../../src/backlog/file/reading";
import { Stage } from "../../support/backlog/stage";
import { age } from "../../support/process/journals";
import { until } from "../../support/until";
import { failing } from "./failing-disk";
import { onFullDisk } from "./on-full-disk";

const MINUTE = 60_000;
const entry = (id: string): Entry => ({ id, nodeId: "n", size: 1, content: "1" });
async function place(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), "failing-")), "telephony");
  await mkdir(folder);
  return join(folder, "a.journal");
}

/** Returns what a start would find after a SIGKILL at this instant. */
async function found(path: string, to?: string) {
  const copy = to ?? (await place());
  copyFileSync(path, copy);
  const { store, restored } = await FileStore.open(copy);
  await store.close();
  const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);
  return { waiting: ids(restored.waiting), begun: ids(restored.begun), restored };
}

/** Docs/faults.md, row 22o. */
describe("a journal that cannot be written", () => {
  for (const [call, code] of [
    ["datasync", "EIO"],
    ["write", "EROFS"],
    ["write", "ENOSPC"],
  ] as const)
    it(`undoes no decision: ${code} of ${call}`, async () => {
      const path = await place();
      const { store } = await FileStore.open(path);
      const stage = new Stage(store);
      stage.slots = 1;
      for (const id of ["run", "named", "other", "dated"]) {
        const more = {
          ...(id === "dated" && { notBefore: Date.now() + MINUTE }),
          ...(id === "named" && { name: "n" }),
        };
        await stage.accept({ id, keys: [{ hash: id, forMs: MINUTE }], ...more });
      }
      const [copy, works] = [await place(), await failing(code, call)];
      try {
        await assert.rejects(stage.backlog.cancel("n"), new RegExp(code));
        await assert.rejects(stage.backlog.drop(), new RegExp(code));
        await assert.rejects(stage.backlog.failAll(), new RegExp(code));
        assert.deepEqual([stage.ends, stage.backlog.counts.waiting, stage.backlog.counts.dated], [[], 3, 1]);
        stage.runs[0]?.settle("applied", "result");
        await until(() => stage.ends.length === 1);
        assert.equal((await stage.accept({ id: "new" })).kind, "failed");
        assert.equal((await stage.accept({ id: "twice", keys: [{ hash: "named", forMs: 1 }] })).kind, "duplicate");
      } finally {
        works();
      }
      // Before the journal is tried again by itself.
      const before = await found(path, copy).catch(() => undefined);
      if (before) assert.deepEqual([before.waiting, before.begun], [["named", "other", "dated"], ["run"]]);
      assert.equal((await stage.accept({ id: "later" })).kind, "accepted");
      const after = await found(path);
      assert.deepEqual(after.waiting, ["named", "other", "dated", "later"]);
      assert.deepEqual([after.begun, after.restored.settled], [[], []]);
      await until(() => stage.failures.at(-1) === undefined);
      assert.deepEqual(await stage.backlog.cancel("n"), { cancelled: 1, tooLate: 0 });
      assert.equal(await stage.backlog.drop(), 3);
      assert.deepEqual((await found(path)).waiting, []);
      await stage.backlog.close();
    });

  it("fails until an entry fits, although a record does before", async () => {
    const { store } = await FileStore.open(await place());
    const stage = new Stage(store);
    stage.slots = 0;
    await stage.accept({ id: "1" });
    const works = await failing("ENOSPC", "write");
    try {
      assert.equal((await stage.accept({ id: "2" })).kind, "failed");
    } finally {
      works();
    }
    await store.record("incident", 1);
    assert.deepEqual(stage.failures, ["ENOSPC: write"]);
    await stage.accept({ id: "3" });
    assert.deepEqual(stage.failures, ["ENOSPC: write", undefined]);
    await stage.backlog.close();
  });

  it("ends what was to be ended while it was asked about it, or lets it wait again", async () => {
    const { store } = await FileStore.open(await place());
    const stage = new Stage(store);
    stage.slots = 0;
    await stage.accept({ id: "1", name: "n" });
    const works = await failing("EIO", "write");
    try {
      stage.slots = 1;
      stage.backlog.loop.dispatch();
      // The store is being asked whether it may begin.
      await assert.rejects(stage.backlog.cancel("n"), /EIO/);
    } finally {
      works();
    }
    await until(() => stage.begun.length === 1);
    assert.deepEqual(stage.ends, []);
    stage.runs[0]?.settle("applied", 1);
    await stage.backlog.close();
  });

  it("does not bring back a call that it has refused", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.accept(entry("1"));
    // Nor can they be overwritten.
    const works = await failing("EIO", "datasync", "write");
    const refused = await Promise.all(["2", "3", "4"].map(async (id) => store.accept(entry(id))));
    works();
    assert.deepEqual(new Set(refused.map(({ kind }) => kind)), new Set(["failed"]));
    await store.begin(entry("1"));
    assert.deepEqual((await found(path)).waiting, []);
    await store.close();
  });

  it("keeps on a full disk that calls are held back", async () => {
    const path = await place();
    const accepted = (await onFullDisk("full-held-back", path)) as readonly string[];
    assert.ok(accepted.length > 10, `${accepted.length} accepted`);
    const { waiting, restored } = await found(path);
    assert.deepEqual(waiting, accepted);
    assert.ok(restored.waiting.every(({ heldBack }) => heldBack));
  });

  it("holds calls back after a longer stop, although Node-RED was killed while it started", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    const first = new Backlog(store);
    await first.accept(entry("1"));
    await first.close();
    age(path, 16 * MINUTE);
    const second = await FileStore.open(path);
    const { restored } = await found(path);
    assert.ok((restored.stoppedForMs ?? 0) >= 16 * MINUTE, String(restored.stoppedForMs));
    await second.store.close();
  });
});

describe("a journal that somebody removes, moves or restores while it is in use", () => {
  for (const [what, act] of Object.entries({
    "its file is removed": (path: string) => rm(path),
    "its folder is removed": (path: string) => rm(dirname(path), { recursive: true }),
    "its folder is moved": (path: string) => rename(dirname(path), `${dirname(path)}.moved`),
    "its folder is restored": async (path: string) => {
      await rm(dirname(path), { recursive: true });
      await cp(`${dirname(path)}.old`, dirname(path), { recursive: true });
    },
    "its contents are restored": async (path: string) =>
      writeFile(path, await readFile(join(`${dirname(path)}.old`, "a.journal"))),
    "its contents are removed": (path: string) => truncate(path, 0),
  }))
    it(`is written again: ${what}`, async () => {
      const path = await place();
      let count = 0;
      const { store } = await FileStore.open(path, () => {
        count += 1;
      });
      await store.accept(entry("1"));
      await mkdir(`${dirname(path)}.old`);
      await copyFile(path, join(`${dirname(path)}.old`, "a.journal"));
      await store.check();
      // What is written between the copy, the act and the next check must not hide that it is gone.
      await store.accept(entry("2"));
      assert.equal(count, 0);
      await act(path);
      await store.accept(entry("3"));
      await store.check();
      await store.check();
      assert.equal(count, 1);
      await store.accept(entry("4"));
      assert.deepEqual((await found(path)).waiting, ["1", "2", "3", "4"]);
      await assert.rejects(FileStore.open(path), LockedError);
      await store.close();
      await (await FileStore.open(path)).store.close();
    });

  it("is written again when its folder was moved away and comes back", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.accept(entry("1"));
    await rename(dirname(path), `${dirname(path)}.moved`);
    await store.check();
    await store.accept(entry("2"));
    await rm(dirname(path), { recursive: true });
    await rename(`${dirname(path)}.moved`, dirname(path));
    await store.check();
    assert.deepEqual((await found(path)).waiting, ["1", "2"]);
    await assert.rejects(FileStore.open(path), LockedError);
    await store.close();
  });

  it("accepts nothing while it cannot be written again, and goes on when it can", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await store.accept(entry("1"));
    await rm(dirname(path), { recursive: true });
    await writeFile(dirname(path), "");
    await store.check();
    assert.equal((await store.accept(entry("2"))).kind, "failed");
    await rm(dirname(path));
    await store.check();
    assert.equal((await store.accept(entry("3"))).kind, "accepted");
    assert.deepEqual((await found(path)).waiting, ["1", "3"]);
    await store.close();
  });
});

describe("a line of a journal", () => {
  it("that occurs twice, anywhere behind itself, changes nothing", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    const keyed = (id: string) => ({ ...entry(id), keys: [{ hash: `key of ${id}`, forMs: MINUTE }] });
    for (const id of ["1", "2", "3", "4"]) await store.accept(keyed(id));
    for (const id of ["1", "2", "3"]) await store.begin(keyed(id));
    await store.requeue(keyed("1"));
    await store.begin(keyed("1"));
    for (const id of ["2", "3"]) await store.settle(keyed(id), "not-applied");
    store.forget(keyed("2"));
    await store.accept({ ...keyed("5"), keys: [{ hash: "key of 2", forMs: MINUTE }] });
    for (const value of [1, 2, undefined, 3]) await store.record("record", value);
    for (const paused of [true, false]) store.hold({ paused });
    for (let n = 0; n < 2; n += 1) {
      store.hold({ heldBack: { ids: ["4"], records: ["record"] } });
      store.hold({ heldBack: null });
    }
    await store.close();
    const bytes = await readFile(path);
    const lines = [...linesOf(bytes)].map(({ line }) => line);
    const stateOf = async (all: readonly Buffer[]) => {
      const whole = Buffer.concat(all.flatMap((line) => [line, Buffer.from("\n")]));
      const file = {
        read: (to: Buffer, at: number, length: number, from: number) => ({
          bytesRead: whole.copy(to, at, from, from + length),
        }),
      };
      const contents = new Contents();
      contents.read((await read(file as unknown as Parameters<typeof read>[0])).records);
      return { ...contents.restored(0), uses: [...contents.uses], now: contents.now };
    };
    const state = await stateOf(lines);
    assert.ok(lines.length > 20);
    for (const [index, line] of lines.entries())
      for (let at = index + 1; at <= lines.length; at += 1)
        assert.deepEqual(await stateOf(lines.toSpliced(at, 0, line)), state, `${line} again at ${at}`);
  });
});

describe("the lock in a folder that cannot be written", () => {
  it("does not say that another Node-RED uses it", async () => {
    const file = await place();
    await writeFile(`${file}.lock`, "");
    const files = createRequire(__filename)("node:fs/promises") as Record<string, unknown>;
    const real = files["rename"];
    files["rename"] = () => Promise.reject(Object.assign(new Error("EROFS: rename"), { code: "EROFS" }));
    try {
      await assert.rejects(Lock.take(file), /EROFS/);
    } finally {
      files["rename"] = real;
    }
  });
});
