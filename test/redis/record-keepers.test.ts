import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RedisServer } from "../support/backlog/redis-server";
import { until } from "../support/backlog/until";

interface Line {
  readonly pid: number;
  readonly what: string;
  readonly about: string;
}

/** The places of the numbers at the end of notes, each when it was heard first. */
function firstHeard(lines: readonly Line[], sender: number): number[] {
  const heard = lines.filter(({ what, about }) => what === "heard" && about.startsWith(`${sender}-`));
  return [...new Set(heard.map(({ about }) => Number(about.split("-")[1])))];
}

describe("a record in Redis that three processes share", () => {
  let server: RedisServer;
  const processes = new Set<ChildProcess>();
  const lines = (): Line[] => {
    const file = join(server.folder, "ledger");
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const [pid, what = "", about = ""] = line.split(" ");
        return { pid: Number(pid), what, about };
      });
  };
  const start = async () => {
    const args = [require.resolve("../support/backlog/record-keeper"), server.url, join(server.folder, "ledger")];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    processes.add(child);
    await once(child, "message");
  };
  const owner = () => lines().findLast(({ what }) => what === "created" || what === "restored")?.pid;
  const adoptions = () => lines().filter(({ what }) => what === "restored").length;
  const processOf = (pid: number | undefined) => [...processes].find((child) => child.pid === pid);

  before(async () => {
    server = await RedisServer.start();
  });
  after(async () => {
    for (const child of processes) child.kill("SIGKILL");
    await server.kill();
  });

  it("has one of them at a time, loses no note, and leaves one that hung for too long", async () => {
    await Promise.all([start(), start(), start()]);
    const counts = async () => {
      const before = lines().length;
      await until(
        () =>
          lines()
            .slice(before)
            .filter(({ what }) => what === "counted").length > 5,
      );
    };
    const killed: number[] = [];
    for (let kill = 1; kill <= 2; kill += 1) {
      await counts();
      const gone = processOf(owner());
      gone?.kill("SIGKILL");
      if (gone) processes.delete(gone);
      killed.push(gone?.pid ?? 0);
      await start();
      await until(() => adoptions() === kill);
    }
    await server.kill();
    await server.restart();
    await counts();
    const hung = owner();
    processOf(hung)?.kill("SIGSTOP");
    await until(() => adoptions() === 3);
    processOf(hung)?.kill("SIGCONT");
    await until(() => lines().some(({ pid, what }) => pid === hung && what === "lost"));
    await counts();

    const all = lines();
    assert.equal(all.filter(({ what }) => what === "created").length, 1);
    let last = 0;
    let has: number | undefined;
    let restored = "";
    for (const { pid, what, about } of all) {
      if (what === "created" || what === "restored") has = pid;
      if (what === "restored") restored = about;
      if (what === "restored") assert.ok(Number(about) >= last, `${about} restored after ${last}`);
      if (what !== "counted") continue;
      // It hung between the update and its line.
      if (pid === hung && pid !== has && about === restored) continue;
      assert.equal(pid, has);
      assert.ok(Number(about) > last);
      last = Number(about);
    }
    // What was sent last may still be under way.
    const sent = all.filter(({ what }) => what === "sent").map(({ about }) => about);
    const heard = () => new Set(lines().flatMap(({ what, about }) => (what === "heard" ? [about] : [])));
    await until(() => sent.every((note) => heard().has(note)));
    for (const sender of new Set(all.map(({ pid }) => pid))) {
      const numbers = firstHeard(lines(), sender);
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
        `the order of ${sender}`,
      );
    }
  });
});
