import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/**
 * Row 3: a port where a connect neither succeeds nor fails. A thread listens with the shortest backlog and then sleeps, so
 * that is never accepted; fillers take the places of the backlog, and the kernel drops every further SYN unanswered.
 * Linux and macOS; Windows refuses instead.
 */
export class FullBacklog {
  private constructor(
    readonly port: number,
    private readonly worker: Worker,
    private readonly wake: Int32Array,
    private readonly fillers: Socket[],
  ) {}

  static async start(): Promise<FullBacklog> {
    const wake = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(join(__dirname, "full-backlog-thread.js"), { workerData: wake });
    const [port] = (await once(worker, "message")) as [number];
    const backlog = new FullBacklog(port, worker, wake, []);
    await backlog.#fill();
    return backlog;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const filler of this.fillers) filler.destroy();
    const exited = once(this.worker, "exit");
    Atomics.store(this.wake, 0, 1);
    Atomics.notify(this.wake, 0);
    await exited;
  }

  /** Connects until some connects have been hanging for long enough that the places must be gone. */
  async #fill(): Promise<void> {
    for (let hanging = 0; hanging < 3; ) {
      const filler = connect(this.port, "127.0.0.1").on("error", () => {});
      this.fillers.push(filler);
      if (this.fillers.length > 50) throw new Error("this system's backlog does not fill");
      await sleep(100);
      // An established connection is reported in this turn of the event loop, however late the sleep ended.
      await nextTurn();
      hanging = filler.connecting ? hanging + 1 : 0;
    }
  }
}
