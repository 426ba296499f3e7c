import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ledger, readLedger } from "./ledger";

/** Processes that share a backlog and a ledger. */
export class Performers {
  readonly #processes = new Set<ChildProcess>();

  private constructor(
    readonly folder: string,
    readonly engine: string,
  ) {}

  /** @param engine the address of a Redis, or the folder of the journal, by default that of the ledger */
  static async create(engine?: string): Promise<Performers> {
    const folder = await mkdtemp(join(tmpdir(), "backlog-"));
    return new Performers(folder, engine ?? folder);
  }

  /** @param pauseMs between two accepts */
  async start(accepts: number, pauseMs = 0): Promise<ChildProcess> {
    const args = [require.resolve("./performer"), this.folder, String(accepts), this.engine, String(pauseMs)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#processes.add(child);
    await once(child, "message");
    return child;
  }

  get ledger(): Ledger {
    return readLedger(this.folder);
  }

  /** Stops them from accepting more. */
  enough(): void {
    for (const child of this.#processes) child.send("enough");
  }

  async kill(child: ChildProcess): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
    this.#processes.delete(child);
  }

  async killAll(): Promise<void> {
    for (const child of this.#processes) await this.kill(child);
  }

  /** Waits until all that was accepted has ended, or the time is up. */
  async ended(withinMs = 120_000): Promise<Ledger> {
    for (const limit = Date.now() + withinMs; ; await sleep(50)) {
      const { ledger } = this;
      if (ledger.open.length === 0 || Date.now() > limit) return ledger;
    }
  }

  /** Waits until all that was accepted has ended, and checks the ledger. Returns how many were accepted. */
  async checkEnd(): Promise<number> {
    const { accepted, placedTwice, placedEarly, reportedTwice, open } = await this.ended();
    const none = { placedTwice: [], placedEarly: [], reportedTwice: [], open: [] };
    assert.deepEqual({ placedTwice, placedEarly, reportedTwice, open }, none);
    return accepted;
  }
}
