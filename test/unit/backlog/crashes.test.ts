import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a process told, in the order in which it told it. */
interface Ledger {
  readonly accepted: readonly string[];
  readonly placed: readonly string[];
  readonly told: readonly string[];
}

async function ledger(path: string): Promise<Ledger> {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const of = (what: string) =>
    lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.slice(what.length + 1));
  return { accepted: of("accepted"), placed: of("placed"), told: of("told") };
}

async function start(folder: string, accepts: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [require.resolve("./backlog-process"), folder, String(accepts)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  return child;
}

describe("a backlog in a file", () => {
  it("places each accepted entry at most once, and tells of each, however often its process is killed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "backlog-"));
    for (let kill = 0; kill < 12; kill += 1) {
      const child = await start(folder, 200);
      await new Promise((resolve) => setTimeout(resolve, 20 + 37 * (kill % 5)));
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    const child = await start(folder, 0);
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    const { accepted, placed, told } = await ledger(join(folder, "ledger"));
    assert.ok(accepted.length > 100, `${accepted.length} accepted`);
    assert.equal(new Set(placed).size, placed.length, "placed twice");
    const ended = new Set(told.map((line) => line.split(" ")[0]));
    assert.deepEqual(
      accepted.filter((id) => !ended.has(id)),
      [],
      "accepted, and never told",
    );
  });
});
