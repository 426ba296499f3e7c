import type { Patience } from "./handlers";
import { NO_TROUBLE } from "./trouble";
import { type Turn, UNDER_WAY } from "./turn";

/** How often turns are looked at for those that have waited for long enough. Milliseconds. */
const SWEEP_MS = 1000;
/** The longest time for which an urgent call waits for a probe. Milliseconds. */
const URGENT_MS = 60_000;

/** What trouble does to the turns that wait for the service: none begins, or one after the other tries it. */
export class Trials {
  trouble = NO_TROUBLE;
  patience: Patience | undefined;
  /** No turn tries before, as instants of trouble. */
  retryAt = -Infinity;
  /** The last turn that has begun in spite of trouble. */
  #tried: Turn | undefined;
  /** When something else than trouble has kept the turns last: all of them, and those that do not begin at any time. */
  #pausedUntil = -Infinity;
  #closedUntil = -Infinity;
  #sweepAt = -Infinity;

  /** Whether a turn, or an entry that has just come, begins only as trouble allows. */
  hold(isPatient: boolean): boolean {
    return this.patience !== undefined && (this.patience.isForAll || isPatient);
  }

  /** Whether one of those may begin. */
  mayTry(steady: number): boolean {
    const { phase } = this.trouble;
    return phase === "closed" || (phase !== "held" && steady >= this.retryAt && !UNDER_WAY.has(this.#tried?.state));
  }

  /** The store is asked whether a turn may start. */
  begin(turn: Turn): void {
    if (this.trouble.phase !== "closed" && this.hold(turn.isPatient)) this.#tried = turn;
  }

  /** Whether that turn still may. */
  mayStart(turn: Turn): boolean {
    const { phase } = this.trouble;
    return phase === "closed" || !this.hold(turn.isPatient) || (phase !== "held" && this.#tried === turn);
  }

  /** When the service is probed, if any turn is held until then. */
  heldUntil(hasPatient: boolean): number | undefined {
    return this.trouble.phase === "held" && this.hold(hasPatient) ? this.trouble.until : undefined;
  }

  /** What is to be done now, or when. */
  next(
    steady: number,
    { isPaused, isOpen }: { readonly isPaused: boolean; readonly isOpen: boolean },
    waiting: { readonly isAny: boolean; readonly isUrgent: boolean; readonly hasPatient: boolean },
  ): "hurry" | "probe" | "sweep" | number {
    if (isPaused) this.#pausedUntil = steady;
    if (!isOpen) this.#closedUntil = steady;
    const heldUntil = this.heldUntil(waiting.hasPatient) ?? Infinity;
    if (heldUntil <= steady) return "probe";
    if (waiting.isUrgent && heldUntil < Infinity && heldUntil - steady > URGENT_MS) return "hurry";
    const sweepAt = this.trouble.phase !== "closed" && this.patience && waiting.isAny ? this.#sweepAt : Infinity;
    if (sweepAt <= steady) return "sweep";
    return Math.min(heldUntil, sweepAt, this.retryAt > steady ? this.retryAt : Infinity);
  }

  swept(steady: number): void {
    this.#sweepAt = steady + SWEEP_MS;
  }

  /** Why trouble ends a turn that waits: nothing but trouble has kept it for too long, or its time has passed. */
  overdue({ entry, since, isPatient }: Turn, date: number, steady: number): "expired" | "trouble" | undefined {
    const { anytime, urgent, alarm, notAfter = Infinity } = entry;
    if (!this.hold(isPatient)) return undefined;
    if (date > notAfter) return "expired";
    if (alarm || !this.patience?.atMostMs || this.trouble.code === undefined) return undefined;
    const kept = [since, this.trouble.fineAt, urgent ? 0 : this.#pausedUntil, anytime ? 0 : this.#closedUntil];
    return steady - Math.max(...kept) >= this.patience.atMostMs ? "trouble" : undefined;
  }
}
