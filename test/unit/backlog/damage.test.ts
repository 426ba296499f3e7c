import assert from "node:assert/strict";
import type { FileHandle } from "node:fs/promises";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "../../../src/backlog";
import { Contents } from "../../../src/backlog/file/contents";
import { FileStore } from "../../../src/backlog/file/file-store";
import { read } from "../../../src/backlog/file/reading";

const entry = (id: string): Entry => ({ id, nodeId: "n", size: 1, content: '{"to":"0000000000"}' });
const WAITING = ["w1", "w2", "w3"];
const BLOCKS = [512, 4096];
/** Lost, as in a block that was never written; erased; overwritten. */
const DAMAGE = [0x00, 0xff, 0x07];
/** With no common factor with the length of a block: all positions of its edges in a line occur. CI looks closer. */
const STEP = process.env["CI"] ? 7 : 37;

async function open(path: string): Promise<FileStore> {
  return (await FileStore.open(path)).store;
}

/** Calls that wait, and between them one that has begun, one that has ended, and one whose end was reported. */
async function journal(): Promise<{ path: string; store: FileStore }> {
  const path = join(await mkdtemp(join(tmpdir(), "damage-")), "a.journal");
  const store = await open(path);
  for (const id of ["w1", "begun", "w2", "ended", "reported", "w3"]) await store.accept(entry(id));
  for (const id of ["begun", "ended", "reported"]) await store.begin(entry(id));
  for (const id of ["ended", "reported"]) await store.settle(entry(id), "applied");
  store.forget(entry("reported"));
  return { path, store };
}

/** What a start would find. */
async function found(bytes: Buffer): Promise<{ waiting: string[]; damaged: number }> {
  const file = {
    read: (to: Buffer, at: number, length: number, from: number) =>
      Promise.resolve({ bytesRead: bytes.copy(to, at, from, from + length) }),
  } as unknown as FileHandle;
  const { records, damaged } = await read(file);
  const contents = new Contents();
  const unknown = contents.read(records);
  return { waiting: contents.restored(0).waiting.map(({ id }) => id), damaged: damaged + unknown };
}

/** @param reach the share of the lines that blocks of NULs may reach: behind it they look like room for later lines */
async function checkDamage(bytes: Buffer, begunMayWait: boolean, reach: number): Promise<void> {
  assert.deepEqual(await found(bytes), { waiting: WAITING, damaged: 0 });
  const length = bytes.lastIndexOf("\n") + 1;
  for (const block of BLOCKS)
    for (const value of DAMAGE)
      for (let at = 0; at < length; at += STEP) {
        if (value === 0 && at + block > reach) break;
        const { waiting, damaged } = await found(
          Buffer.from(bytes).fill(value, at, Math.min(at + block, bytes.length)),
        );
        const what = `${block} bytes of ${value} at ${at} of ${length}: ${waiting.join()}, ${damaged} damaged`;
        assert.ok(damaged > 0 || waiting.join() === WAITING.join(), what);
        if (!begunMayWait)
          assert.ok(
            waiting.every((id) => WAITING.includes(id)),
            what,
          );
      }
}

describe("a damaged block of a journal", () => {
  it("makes no call wait again that has begun, once Node-RED was stopped", async () => {
    const { path, store } = await journal();
    await store.close();
    await checkDamage(await readFile(path), false, Number.POSITIVE_INFINITY);
  });

  it("makes no call wait again that has begun, once the journal was written anew", async () => {
    const { path, store } = await journal();
    await store.close();
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([Buffer.from("damaged\n"), bytes]));
    await (await open(path)).close();
    await checkDamage(await readFile(path), false, Number.POSITIVE_INFINITY);
  });

  it("is reported after a kill, so that what may have begun is held back", async () => {
    const { path, store } = await journal();
    const bytes = await readFile(path);
    await store.close();
    await checkDamage(bytes, true, bytes.lastIndexOf("\n"));
  });
});
