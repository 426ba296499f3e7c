import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { type FileHandle, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Journal } from "../../../src/backlog/file/journal";

type Call = (...args: unknown[]) => Promise<unknown>;
const files = createRequire(__filename)("node:fs/promises") as Record<string, Call>;

const appended = (journal: Journal, record: object) =>
  new Promise<void>((resolve, reject) => {
    journal.append(record, (error) => (error ? reject(error) : resolve()));
  });

/** Returns what the next process reads, whether this one is killed or closes the file. */
async function recordsIn(path: string): Promise<readonly object[]> {
  const { journal, records } = await Journal.open(path);
  await journal.close();
  return records;
}

/** Lets the system call of that number fail, counted from now on. Returns what ends this, and how many there were. */
function failCall(failing: number, code: string) {
  let count = 0;
  const restore: (() => void)[] = [];
  const shim = (owner: Record<string, Call>, name: string) => {
    const real = owner[name] as Call;
    owner[name] = function (this: unknown, ...args: unknown[]) {
      count += 1;
      if (count === failing) return Promise.reject(Object.assign(new Error(`${code}: ${name}`), { code }));
      return real.apply(this, args);
    };
    restore.push(() => {
      owner[name] = real;
    });
  };
  for (const name of ["open", "rename", "rm", "stat"]) shim(files, name);
  return {
    handles: (prototype: Record<string, Call>) => {
      for (const name of ["write", "sync", "datasync", "close", "stat"]) shim(prototype, name);
    },
    end: () => {
      for (const each of restore) each();
      return count;
    },
  };
}

/** Rewrites a journal of six records while a system call fails. Returns how many calls the rewrite made. */
async function rewriteWith(failing: number, code: string): Promise<number> {
  const path = join(await mkdtemp(join(tmpdir(), "rewrite-")), "a.journal");
  const { journal } = await Journal.open(path);
  const handle = (await files["open"]?.(path, "r")) as FileHandle;
  const prototype = Object.getPrototypeOf(handle) as Record<string, Call>;
  await handle.close();
  const first = [{ n: 1 }, { n: 2 }, { n: 3 }];
  for (const record of first) await appended(journal, record);
  const shim = failCall(failing, code);
  shim.handles(prototype);
  await journal.rewrite(() => first).catch(() => {});
  const calls = shim.end();
  // As after a SIGKILL at this instant, and after one some calls later.
  assert.deepEqual(await recordsIn(path), first, `${code} of call ${failing}, then SIGKILL`);
  const later = [{ n: 4 }, { n: 5 }];
  for (const record of later) await appended(journal, record);
  assert.deepEqual(await recordsIn(path), [...first, ...later], `${code} of call ${failing}, then two records`);
  await journal.close();
  return calls;
}

describe("a rewrite of the journal", () => {
  it("loses no record, before and after it, whichever of its system calls fails", async () => {
    for (const code of ["EIO", "EMFILE", "EACCES", "EINVAL"]) {
      const calls = await rewriteWith(0, code);
      assert.ok(calls >= 6, String(calls));
      for (let failing = 1; failing <= calls; failing += 1) await rewriteWith(failing, code);
    }
  });

  it("loses no record when the process has hardly a descriptor left", async function () {
    if (process.platform !== "linux") this.skip();
    const path = join(await mkdtemp(join(tmpdir(), "rewrite-")), "a.journal");
    const script = `
      const { openSync, closeSync } = require("node:fs");
      const { Journal } = require(${JSON.stringify(require.resolve("../../../src/backlog/file/journal"))});
      const appended = (journal, n) => new Promise((resolve, reject) => journal.append({ n }, (e) => (e ? reject(e) : resolve())));
      void (async () => {
        const { journal } = await Journal.open(${JSON.stringify(path)});
        let n = 0;
        for (let left = 0; left < 5; left += 1) {
          await appended(journal, ++n);
          const taken = [];
          try { for (;;) taken.push(openSync("/dev/null", "r")); } catch {}
          for (let free = 0; free < left; free += 1) closeSync(taken.pop());
          const whole = Array.from({ length: n }, (_, index) => ({ n: index + 1 }));
          await journal.rewrite(() => whole).catch(() => {});
          await appended(journal, ++n);
          for (const fd of taken) closeSync(fd);
          const next = await Journal.open(${JSON.stringify(path)});
          console.log(left + " free: " + next.records.length + " of " + n);
          await next.journal.close();
        }
      })();`;
    const { stdout, stderr } = spawnSync("prlimit", ["--nofile=64", process.execPath, "-e", script], {
      encoding: "utf8",
    });
    const expected = [0, 1, 2, 3, 4].map((left) => `${left} free: ${2 * left + 2} of ${2 * left + 2}\n`);
    assert.equal(stdout, expected.join(""), stderr);
  });
});
