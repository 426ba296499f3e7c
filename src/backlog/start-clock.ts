import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** The length of a stop after which the calls that were due are held back until somebody resumes. Milliseconds. */
export const LONG_STOP_MS = 15 * 60_000;
/** For so long after the start of Node-RED, the clock may be set over the network. Milliseconds. */
const SOON_MS = 10 * 60_000;
/** A clock that was not set for this long is taken for right. Milliseconds. */
const UNSURE_MS = 60_000;
/** An id that is new at each start of the machine (Linux), and a file that is there once the clock was set (systemd). */
export const MACHINE = { bootId: "/proc/sys/kernel/random/boot_id", clockSet: "/run/systemd/timesync/synchronized" };

/** The wall clock after a start: a board without a battery takes a long stop for a short one until its clock is set. */
export class StartClock {
  /** The wall clock minus the monotonic one. */
  #offset = Date.now() - performance.now();
  #boot: string | undefined;
  #unsureUntil = 0;
  /** Whether a clock that is set from now on says nothing about the stop before the start. */
  isOver = performance.now() > SOON_MS;

  /** @param lastBoot which start of the machine it was when something was last written, if that is known */
  constructor(
    private readonly lastBoot?: string,
    private readonly machine = MACHINE,
  ) {
    try {
      this.#boot = readFileSync(machine.bootId, "utf8").trim();
    } catch {
      this.#boot = lastBoot;
    }
    if (lastBoot !== undefined && lastBoot !== this.#boot) this.#unsureUntil = performance.now() + UNSURE_MS;
  }

  /** Whether the machine was started since, and it is not known yet that its clock is right. */
  get isUnsure(): boolean {
    if (performance.now() < this.#unsureUntil && existsSync(this.machine.clockSet)) this.#unsureUntil = 0;
    return performance.now() < this.#unsureUntil;
  }

  /** To be written: a further start must not trust the clock before this one does. */
  get boot(): string | undefined {
    return this.isUnsure ? this.lastBoot : this.#boot;
  }

  /** Whether the clock was set ahead, since the last time that it was, by as much as a long stop takes. */
  hasJumped(): boolean {
    const offset = Date.now() - performance.now();
    // It may have been set at any time since the last look.
    const wasOver = this.isOver;
    this.isOver = performance.now() > SOON_MS;
    if (wasOver || offset - this.#offset < LONG_STOP_MS) return false;
    [this.#offset, this.#unsureUntil] = [offset, 0];
    return true;
  }
}
