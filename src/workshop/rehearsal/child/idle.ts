import { real, type VirtualClock } from "./clock";
import { flush, reportProgress } from "./output";
import type { Sockets } from "./sockets";

/** Rounds of the event loop in which nothing may happen before time jumps: work may pass from one queue to the next. */
const IDLE_ROUNDS = 4;
/**
 * Resources that are no work, because they may stay open forever. Connections are followed by their sockets: a request to
 * connect or look up that was refused, and a closed UDP socket, are listed until they are collected, and would hide other work.
 */
const RESTING =
  /^(ConnectWrap|TCPConnectWrap|PipeConnectWrap|QueryReqWrap|UDPWrap|TCPSocketWrap|TCPServerWrap|TLSWrap|PipeWrap|PipeServerWrap|TTYWrap|Timeout|FSEventWrap|StatWatcher|SignalWrap|MessagePort)$/;
/** Work that takes longer than this in an otherwise idle process is not awaited. Microseconds of processor time, since a busy machine takes longer. */
const PATIENCE_US = 2_000_000;
const REPORT_NS = 100_000_000n;
const MEMORY_BYTES = 512 * 2 ** 20;
const PARENT = process.ppid;

/** Lets time pass: while anything is under way it stands still, then it jumps to the next timer. */
export class Idle {
  #reportedAt = 0n;
  /** Microseconds of the processor at the last report: to ask in each round would take a tenth of all time. */
  #spent = 0;
  #busySince: number | undefined;

  constructor(
    private readonly clock: VirtualClock,
    private readonly sockets: Sockets,
  ) {}

  /** Waits without letting time pass, unless nothing else could go on. */
  async whileStanding<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    work.then(done, done);
    await this.#rounds(() => isDone, false);
    return work;
  }

  /** Lets time pass until a condition holds. */
  async until(isReached: () => boolean): Promise<void> {
    await this.#rounds(isReached, true);
  }

  #rounds(isReached: () => boolean, jumps: boolean): Promise<void> {
    return new Promise((resolve) => {
      let idle = 0;
      let idleSince: number | undefined;
      const round = () => {
        this.#reportTime(real.hrtime());
        this.clock.turned();
        idle = this.#isBusy() ? 0 : idle + 1;
        if (idle === 0) idleSince = undefined;
        idleSince ??= this.#spent;
        if (idle >= IDLE_ROUNDS) {
          if (isReached()) return resolve();
          idle = 0;
          flush();
          if (jumps || this.#spent - idleSince > PATIENCE_US) this.clock.next();
          else this.clock.runDue();
        }
        real.setImmediate(round);
      };
      round();
    });
  }

  #isBusy(): boolean {
    // Includes what others have scheduled for the next round, but not the round itself, which is running.
    const work = process.getActiveResourcesInfo().find((type) => !RESTING.test(type));
    if (work === undefined && !this.sockets.inTransit(this.#spent)) {
      this.#busySince = undefined;
      return false;
    }
    // Immediates always go on.
    if (work === "Immediate") return true;
    this.#busySince ??= this.#spent;
    return this.#spent - this.#busySince < PATIENCE_US;
  }

  #reportTime(now: bigint): void {
    if (now - this.#reportedAt <= REPORT_NS) return;
    this.#reportedAt = now;
    const { user, system } = real.cpuUsage();
    this.#spent = user + system;
    // The process that has started this one was killed.
    if (process.ppid !== PARENT) process.reallyExit(1);
    reportProgress();
    // Elsewhere the process that has started this one looks, also in an endless loop.
    if (process.platform !== "linux" && process.memoryUsage.rss() > MEMORY_BYTES) throw new RangeError("memory");
  }
}
