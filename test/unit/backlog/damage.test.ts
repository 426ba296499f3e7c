import assert from "node:assert/strict";
import type { FileHandle } from "node:fs/promises";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Entry } from "../../../src/backlog";
import { Contents } from "../../../src/backlog/file/contents";
import { FileStore } from "../../../src/backlog/file/file-store";
import { lineOf } from "../../../src/backlog/file/line";
import { read } from "../../../src/backlog/file/reading";
import { casesOf } from "../../support/until";

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

/** Returns what a start would find. */
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
async function checkDamage(journal: Buffer, begunMayWait: boolean, reach: number): Promise<void> {
  const length = journal.lastIndexOf("\n") + 1;
  // More room than a block takes would only be copied, thousands of times.
  const bytes = journal.subarray(0, length + 2 * Math.max(...BLOCKS));
  assert.deepEqual(await found(bytes), { waiting: WAITING, damaged: 0 });
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

const USE = { hash: "h", at: 1, forMs: 1, until: 1, outcome: "applied" };
const NAMES = ["replaces", "isDue", "heldBack", "ofRestored", "anytime", "urgent", "alarm"];
const FLAGS = Object.fromEntries(NAMES.map((name) => [name, true]));
/** A line of each kind, with all its fields but a record's value, which may be anything. */
const LINES: readonly Record<string, unknown>[] = [
  { v: 2, now: 1, wall: 1, boot: "b" },
  {
    accept: { ...entry("x"), ...FLAGS, keys: [{ hash: "h", forMs: 1 }], name: "n", notBefore: 1, at: 1, notAfter: 1 },
    uses: [USE],
    replaced: "x",
  },
  { due: "x", uses: [USE] },
  { holdBack: ["x"], records: ["r"] },
  { release: true },
  ...["begin", "unbegin", "forget", "record"].map((kind) => ({ [kind]: "x" })),
  { end: "x", outcome: "applied", uses: [USE] },
  { use: USE },
  { paused: true },
  { proven: true },
];
/** Of further types that a field may have; a higher version is another matter. */
const ALSO = new Map<string, unknown>([
  ["accept/accept/content", null],
  ...["accept/uses/0", "end/uses/0", "use/use"].map((path) => [path, "x"] as const),
  ["v/v", 1e300],
]);

/** A value with another one in place of each of its parts, at any depth: of another type, or no instant. */
function* changed(value: unknown, path: string): Generator<unknown> {
  const typeOf = (one: unknown) => (Array.isArray(one) ? "list" : one === null ? "null" : typeof one);
  for (const other of [null, false, 1e300, "x", [], {}])
    if ((typeOf(other) !== typeOf(value) || other === 1e300) && ALSO.get(path) !== other) yield other;
  if (typeof value !== "object") return;
  for (const [key, part] of Object.entries(value as object))
    for (const other of changed(part, `${path}/${key}`))
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
}

describe("a line of a journal that makes no sense, with a right checksum", () => {
  const between = (line: unknown) => {
    const lines = [{ accept: entry("w1") }, line, { accept: entry("w2") }];
    return found(Buffer.concat(lines.map((each, n) => lineOf(each as object, n + 1))));
  };

  for (const line of LINES) {
    const [kind = ""] = Object.keys(line);
    it(`is damaged alone, whatever is wrong about it: ${kind}`, async () => {
      assert.equal((await between(line)).damaged, 0);
      for (const wrong of changed(line, kind))
        assert.deepEqual(await between(wrong), { waiting: ["w1", "w2"], damaged: 1 }, JSON.stringify(wrong));
    });
  }

  it("costs no other line, whatever JSON it is", async () => {
    const kinds = fc.constantFrom(...LINES.flatMap((line) => Object.keys(line)).filter((kind) => kind !== "v"));
    const json = fc.jsonValue().filter((line) => typeof Object(line).v !== "number");
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, fc.dictionary(kinds, fc.jsonValue())), async (line) => {
        const { waiting, damaged } = await between(line);
        assert.ok(waiting[0] === "w1" && waiting.at(-1) === "w2" && damaged <= 1);
      }),
      { numRuns: casesOf(2000) },
    );
  });
});
