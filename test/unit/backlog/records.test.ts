import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { FileStore } from "../../../src/backlog/file/file-store";
import { Journal } from "../../../src/backlog/file/journal";
import { memory, type Remains, type Store, type Stored } from "../../../src/backlog/local/store";
import { putClockAhead } from "../../support/clocks";
import { Stage } from "./stage";

const NOTHING: Remains = { waiting: [], begun: [], untold: [], uses: [], records: new Map(), paused: false, downMs: 0 };
const MINUTE = 60_000;

const place = async () => join(await mkdtemp(join(tmpdir(), "records-")), "a.journal");
const stored = (change: (stored: Stored) => void) =>
  new Promise<void>((resolve, reject) => change((error) => (error ? reject(error) : resolve())));

async function recordsIn(path: string): Promise<unknown[][]> {
  const { store, remains } = await FileStore.open(path);
  await store.close();
  return [...remains.records].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function openStage(path: string): Promise<Stage> {
  const { store, remains } = await FileStore.open(path);
  return new Stage({}, store, remains);
}

describe("records of one process", () => {
  it("are created once, changed and removed, and hear notes", async () => {
    const stage = new Stage();
    const { records } = stage.backlog;
    assert.equal(await records.create("a", 1), true);
    assert.equal(await records.create("a", 2), false);
    assert.equal(await records.update("a", 3), true);
    assert.equal(await records.update("b", 4), false);
    assert.equal(await records.note("a", "note"), true);
    assert.equal(await records.note("b", "note"), false);
    await records.remove("a");
    await records.remove("a");
    assert.equal(await records.update("a", 5), false);
    assert.equal(await records.create("a", 6), true);
    assert.deepEqual(stage.told, [["noted", "a", "note"]]);
  });

  it("are not there if the store does not take them", async () => {
    let full: Error | undefined = new Error("full");
    const store: Store = { ...memory, record: (_name, _value, done) => done(full) };
    const { records } = new Stage({}, store).backlog;
    await assert.rejects(records.create("a", 1), /full/);
    assert.equal(await records.note("a", 1), false);
    full = undefined;
    assert.equal(await records.create("a", 1), true);
    full = new Error("full");
    await assert.rejects(records.update("a", 1), /full/);
    await records.remove("a");
  });

  it("of an earlier process are adopted before anything begins", () => {
    const entry = { id: "waits", nodeId: "a", size: 1, content: null };
    const stage = new Stage({}, memory, { ...NOTHING, waiting: [entry], records: new Map([["a", { n: 1 }]]) });
    assert.deepEqual(stage.told, [["adopted", "a", { n: 1 }]]);
    assert.deepEqual(stage.begun, ["waits"]);
  });

  for (const [minutes, paused] of [
    [14, false],
    [16, true],
    [undefined, true],
  ] as const)
    it(`${paused ? "begin paused" : "go on"} after a stop of ${minutes ?? "unknown"} minutes, with nothing else waiting`, () => {
      const downMs = minutes === undefined ? undefined : minutes * MINUTE;
      const { backlog } = new Stage({}, memory, { ...NOTHING, records: new Map([["a", 1]]), downMs });
      assert.equal(backlog.counts.paused, paused);
    });
});

describe("records in a journal", () => {
  it("outlive a restart with their last value, until they are removed", async () => {
    const path = await place();
    const first = await openStage(path);
    for (const name of ["a", "b", "two\nlines"]) assert.equal(await first.backlog.records.create(name, 1), true);
    await first.backlog.records.update("a", { people: ["Ổi"] });
    await first.backlog.records.remove("b");
    await first.backlog.close();
    const second = await openStage(path);
    assert.deepEqual(second.told, [
      ["adopted", "a", { people: ["Ổi"] }],
      ["adopted", "two\nlines", 1],
    ]);
    assert.equal(second.backlog.counts.paused, false);
    assert.equal(await second.backlog.records.create("a", 2), false);
    assert.equal(await second.backlog.records.create("b", 2), true);
    await second.backlog.records.remove("a");
    await second.backlog.close();
    assert.deepEqual(await recordsIn(path), [
      ["b", 2],
      ["two\nlines", 1],
    ]);
  });

  it("begin paused after a long stop", async () => {
    const path = await place();
    const first = await openStage(path);
    await first.backlog.records.create("a", 1);
    await first.backlog.close();
    putClockAhead(16 * MINUTE);
    const second = await openStage(path);
    assert.equal(second.backlog.counts.paused, true);
    await second.backlog.close();
  });

  it("stay in a journal that is written anew, and what was removed does not come back", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    await stored((done) => store.record("stays", "x", done));
    for (let round = 0; round < 40; round += 1) {
      const names = Array.from({ length: 100 }, (_, n) => `record ${round} ${n}`);
      await Promise.all(names.map((name) => stored((done) => store.record(name, "x".repeat(1000), done))));
      await Promise.all(names.map((name) => stored((done) => store.record(name, undefined, done))));
    }
    await store.close();
    assert.ok((await stat(path)).size < 3 * 2 ** 20);
    assert.deepEqual(await recordsIn(path), [["stays", "x"]]);
  });

  it("lose no more than the change whose line is damaged, and no removal", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const name of ["a", "b"]) await stored((done) => store.record(name, 1, done));
    await stored((done) => store.record("a", "second value", done));
    await stored((done) => store.record("b", undefined, done));
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
    // The limit of a file's size acts like a full disk: the part of a write that fits is written, the rest fails.
    const shell = spawn(
      "bash",
      [
        "-c",
        `trap '' XFSZ; ulimit -f 256; exec "$@"`,
        "bash",
        process.execPath,
        require.resolve("./full-records"),
        path,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let said = "";
    shell.stdout.on("data", (chunk) => {
      said += String(chunk);
    });
    const [code] = await once(shell, "close");
    assert.equal(code, 0);
    const { created, refused } = JSON.parse(said);
    assert.ok(created > 10 && refused > 0, said);
    assert.deepEqual(await recordsIn(path), []);
  });

  it("are removed once the disk works again", async () => {
    const path = await place();
    const { store } = await FileStore.open(path);
    for (const name of ["a", "b"]) await stored((done) => store.record(name, 1, done));
    const fails = mock.method(Journal.prototype, "followUp", (_record: object, _copies: number, settled: Stored) =>
      settled(new Error("EIO")),
    );
    try {
      const removing = ["a", "b"].map((name) => stored((done) => store.record(name, undefined, done)));
      assert.equal(fails.mock.callCount(), 2);
      // This one is created anew meanwhile.
      await stored((done) => store.record("b", 2, done));
      fails.mock.restore();
      await Promise.all(removing);
    } finally {
      fails.mock.restore();
    }
    await store.close();
    assert.deepEqual(await recordsIn(path), [["b", 2]]);
  });
});
