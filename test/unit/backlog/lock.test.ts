import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countUnfinished } from "../../../src/backlog/file/count-unfinished";
import { Lock, LockedError } from "../../../src/backlog/file/lock";

const place = async () => join(await mkdtemp(join(tmpdir(), "lock-")), "a.journal");

/** Starts another process that claims a file and keeps it. */
async function holder(file: string) {
  const script = `require(${JSON.stringify(require.resolve("../../../src/backlog/file/lock"))}).Lock.take(${JSON.stringify(file)})
    .then(() => { process.send("taken"); setInterval(() => {}, 1000); })`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  await once(child, "message");
  return child;
}

describe("the lock of a journal", () => {
  it("refuses a file that another process has claimed", async () => {
    const file = await place();
    const child = await holder(file);
    await assert.rejects(Lock.take(file), LockedError);
    assert.ok(await Lock.isHeld(file));
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.ok(!(await Lock.isHeld(file)));
    const lock = await Lock.take(file);
    await assert.rejects(Lock.take(file), LockedError);
    assert.ok(await Lock.isHeld(file));
    await lock.release();
    assert.ok(!existsSync(`${file}.lock`) && !(await Lock.isHeld(file)));
  });

  it("can be taken while somebody counts what is left in the file", async () => {
    const file = await place();
    await writeFile(file, "");
    const before = await countUnfinished(file);
    const counting = countUnfinished(file).catch((error: unknown) => error instanceof LockedError);
    const lock = await Lock.take(file);
    await counting;
    await lock.release();
    assert.equal(before, 0);
  });

  describe("in a folder whose path is too long for a socket", () => {
    let folder: string;
    let before: string | undefined;
    beforeEach(async () => {
      folder = join(await mkdtemp(join(tmpdir(), "lock-")), "x".repeat(120));
      await mkdir(folder);
      before = process.env["TMPDIR"];
    });
    afterEach(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });

    it("works, and leaves nothing in the temporary folder", async () => {
      const temporary = await mkdtemp(join(tmpdir(), "lock-"));
      process.env["TMPDIR"] = temporary;
      const file = join(folder, "a.journal");
      const child = await holder(file);
      await assert.rejects(Lock.take(file), LockedError);
      child.kill("SIGKILL");
      await once(child, "exit");
      const lock = await Lock.take(file);
      assert.deepEqual(await readdir(temporary), []);
      await lock.release();
      assert.deepEqual(await readdir(folder), []);
    });

    it("needs no temporary folder", async function () {
      if (process.platform !== "linux") this.skip();
      process.env["TMPDIR"] = join(folder, "absent");
      await (await Lock.take(join(folder, "a.journal"))).release();
    });
  });

  it("is given to one of two that find the socket of a process that is gone, however late the other removes it", async () => {
    const file = await place();
    const child = await holder(file);
    child.kill("SIGKILL");
    await once(child, "exit");
    const files = require("node:fs/promises") as Record<string, (...args: unknown[]) => Promise<unknown>>;
    const [names, originals] = [["unlink", "rename"], { ...files }];
    const events = new EventEmitter();
    let removals = 0;
    for (const name of names)
      files[name] = async (path, ...more) => {
        if (path === `${file}.lock`) {
          removals += 1;
          if (removals === 2) events.emit("both have found it");
          await once(events, removals === 2 ? "taken" : "both have found it");
        }
        return originals[name]?.(path, ...more);
      };
    try {
      const takes = [Lock.take(file), Lock.take(file)];
      const first = await Promise.any(takes);
      events.emit("taken");
      const ends = await Promise.allSettled(takes);
      assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      await assert.rejects(Lock.take(file), LockedError, "and it holds");
      await first.release();
    } finally {
      Object.assign(files, originals);
    }
  });

  it("is given to one of several that find the socket of a process that is gone", async () => {
    const file = await place();
    const child = await holder(file);
    child.kill("SIGKILL");
    await once(child, "exit");
    const takes = await Promise.allSettled(Array.from({ length: 5 }, () => Lock.take(file)));
    const taken = takes.flatMap((take) => (take.status === "fulfilled" ? [take.value] : []));
    assert.equal(taken.length, 1);
    await taken[0]?.release();
  });
});
