import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Processes that share a backlog and a ledger. */
export class Performers {
  readonly #processes = new Set<ChildProcess>();

  private constructor(
    readonly folder: string,
    readonly engine: string,
  ) {}

  /** @param engine `file`, or the address of a Redis */
  static async create(engine: string): Promise<Performers> {
    return new Performers(await mkdtemp(join(tmpdir(), "backlog-")), engine);
  }

  async start(accepts: number): Promise<ChildProcess> {
    const args = [require.resolve("./performer"), this.folder, String(accepts), this.engine];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#processes.add(child);
    await once(child, "message");
    return child;
  }

  async kill(child: ChildProcess): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
    this.#processes.delete(child);
  }

  async killAll(): Promise<void> {
    for (const child of this.#processes) await this.kill(child);
  }

  /** Waits until all that was accepted has ended, and checks the ledger. Returns how many were accepted. */
  async checkEnd(): Promise<number> {
    for (const limit = Date.now() + 60_000; ; ) {
      const lines = (await readFile(join(this.folder, "ledger"), "utf8")).split("\n");
      const ids = (what: string) =>
        lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(" ")[1] ?? "");
      // An end that was being told at a kill is not told again, but named: it may not have been heard.
      const named = lines.filter((line) => line.includes('"untold"'));
      const [accepted, placed, told] = [ids("accepted"), ids("placed"), ids("told")];
      for (const line of named) told.splice(told.indexOf(line.split(" ")[1] ?? ""), 1);
      assert.equal(new Set(placed).size, placed.length, "placed twice");
      assert.equal(new Set(told).size, told.length, "told twice");
      const ended = new Set(ids("told"));
      if (accepted.every((id) => ended.has(id))) return accepted.length;
      const open = accepted.filter((id) => !ended.has(id));
      assert.ok(Date.now() < limit, `not told: ${open.slice(0, 5).join(", ")} and others, ${open.length} in all`);
      await sleep(50);
    }
  }
}
