import { performance } from "node:perf_hooks";
import type { Call } from "../call";
import { HOLDS, type Hold } from "../reasons";
import { AGAIN_MS } from "../store";
import { isFailing, mayTry, NO_TROUBLE, type ProbeAnswer, type Trouble, urgentUntil } from "./machine";

/** The shortest and the longest time between two looks for calls that have waited for long enough. Milliseconds. */
const SWEEP_MS = { shortest: 1000, longest: 60_000 };

/** The calls that wait while the service fails, and for how long. */
export interface Patience {
  /** Whether all of them wait, not only alarms, rows of lists and what was restored. */
  readonly isForAll: boolean;
  /** For no longer, unless they are alarms or rows of lists. Milliseconds; 0 is no limit. */
  readonly atMostMs: number;
  /** The longest time that a probe takes. Milliseconds. */
  readonly probeMs: number;
  /** Asks the service whether it works again. Never rejects. */
  probe(): Promise<ProbeAnswer>;
}

/** The conditions that decide, besides the queue itself, what may begin at an instant. */
export interface Conditions {
  /** Milliseconds of `performance.now()`. */
  readonly now: number;
  /** Epoch milliseconds, on a clock that may be set. */
  readonly date: number;
  /** Epoch milliseconds, on the clock of trouble, which never jumps. */
  readonly steady: number;
  /** The last time at which a call met no trouble, on that clock. */
  readonly fineAt: number;
  /** The time before its start at which an entry begins, milliseconds. */
  readonly leadMs: number;
  /** The number of runs that may begin. */
  readonly slots: number;
  readonly isOpen: boolean;
}

/** The effect of trouble on the calls that wait for the service: none begins, or one after the other tries it. */
export class Trials {
  trouble = NO_TROUBLE;
  patience: Patience | undefined;
  /** No call tries, and nothing is probed before, milliseconds of `performance.now()`, as all instants here. */
  retryAt = -Infinity;
  /** The last call that has begun in spite of trouble. */
  #tried: Call | undefined;
  /** The other facts that held the calls at the last look, and the last time at which each did. */
  #last: Hold = {};
  readonly #heldAt = new Map<keyof Hold, number>();
  #sweptAt = -Infinity;
  #sweepAt = -Infinity;

  /** Takes over what trouble is now. @param isLost the group does not know of the last change, because the store fails */
  heard(trouble: Trouble, isLost: boolean): void {
    this.trouble = trouble;
    this.look();
    if (isLost) this.retryAt = performance.now() + AGAIN_MS;
  }

  /** Brings the next look forward: trouble or the calls are others than at the last one. */
  look(): void {
    this.#sweepAt = Math.min(this.#sweepAt, this.#sweptAt + SWEEP_MS.shortest);
  }

  /** The calls that begin only as trouble allows. */
  get holds(): Hold["inTrouble"] {
    return this.patience && (this.patience.isForAll ? "all" : "patient");
  }

  /** Whether a call is one of them. */
  hold(isPatient: boolean): boolean {
    return this.patience !== undefined && (this.patience.isForAll || isPatient);
  }

  /** Whether one of those may begin. */
  mayTry(now: number): boolean {
    const { phase } = this.trouble;
    if (now < this.retryAt || phase === "held") return false;
    return phase === "closed" || !this.isTrying;
  }

  /** Whether a call has begun in spite of trouble, and has not ended. */
  get isTrying(): boolean {
    return this.#tried?.isUnderWay === true;
  }

  /** The store is asked whether a call may begin. */
  begin(call: Call): void {
    if (this.trouble.phase !== "closed" && this.hold(call.isPatient)) this.#tried = call;
  }

  mayStart(call: Call): boolean {
    const { phase } = this.trouble;
    return phase === "closed" || !this.hold(call.isPatient) || (phase !== "held" && this.#tried === call);
  }

  /** Returns the time at which the service is probed, if any call is held until then. */
  heldUntil(hasPatient: boolean): number | undefined {
    return this.trouble.phase === "held" && this.hold(hasPatient) ? this.trouble.until : undefined;
  }

  /** Returns what is to be done now, or in how many milliseconds. */
  next(
    { now, steady }: Conditions,
    hold: Hold,
    waiting: Readonly<Record<"isAny" | "isUrgent" | "hasPatient" | "hasRefused", boolean>>,
  ): "hurry" | "over" | "probe" | "sweep" | number {
    // The end of a pause, or the beginning of hours, is looked at when it comes.
    for (const { fact } of HOLDS) if (hold[fact] || this.#last[fact]) this.#heldAt.set(fact, now);
    this.#last = hold;
    const heldFor = Math.max((this.heldUntil(waiting.hasPatient) ?? Infinity) - steady, this.retryAt - now);
    if (heldFor <= 0) return mayTry(this.trouble, waiting.isUrgent, steady) ? "over" : "probe";
    const isLong = urgentUntil(this.trouble, steady) < this.trouble.until;
    if (waiting.isUrgent && heldFor < Infinity && isLong && this.retryAt <= now) return "hurry";
    const isKept = this.trouble.phase !== "closed" || waiting.hasRefused;
    const sweepAt = isKept && this.patience && waiting.isAny ? this.#sweepAt : Infinity;
    if (sweepAt <= now) return "sweep";
    return Math.min(heldFor, sweepAt - now, this.retryAt > now ? this.retryAt - now : Infinity);
  }

  /** The calls that trouble ends, and why: their time has passed, or nothing but trouble has kept them for too long. */
  *sweep(
    calls: Iterable<Call>,
    { now, date, steady, fineAt }: Conditions,
  ): Generator<readonly [Call, "expired" | "trouble"]> {
    this.#sweptAt = now;
    this.#sweepAt = now + SWEEP_MS.longest;
    // If one may try, it is something else that keeps them.
    const isKept = isFailing(this.trouble) && !this.mayTry(now);
    const lastFine = now - steady + Math.max(fineAt, this.trouble.fineAt);
    for (const call of calls) {
      const { entry } = call;
      const { alarm, list, notAfter = Infinity } = entry;
      const atMostMs = ((isKept || call.retryAt > -Infinity) && this.patience?.atMostMs) || Infinity;
      const heldAt = HOLDS.map(({ fact, exempt }) => (entry[exempt] ? 0 : (this.#heldAt.get(fact) ?? 0)));
      const end = alarm || list !== undefined ? Infinity : Math.max(call.since ?? 0, lastFine, ...heldAt) + atMostMs;
      const at = Math.min(end, now + notAfter - date + 1);
      if (!this.hold(call.isPatient)) continue;
      if (at <= now) yield [call, at === end ? "trouble" : "expired"];
      else this.#sweepAt = Math.min(this.#sweepAt, Math.max(at, now + SWEEP_MS.shortest));
    }
  }
}
