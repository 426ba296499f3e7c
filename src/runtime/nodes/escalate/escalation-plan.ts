import type { Outcome } from "../../../tenant";

/** Somebody to be called. */
export interface Called {
  readonly number: string;
  readonly name: string | null;
}

/** One call of a ladder. */
export interface Rung extends Called {
  /** The id of the call in the backlog. */
  readonly id: string;
  /** When it was accepted, or when it was tried, epoch milliseconds. */
  at: number;
  outcome: Outcome | "pending";
  readonly round: number;
}

/** How far a ladder has come. Plain JSON, to be kept in the record of a durable backlog. */
export interface Progress {
  readonly people: readonly Called[];
  readonly ringForMs: number;
  readonly rounds: number;
  /** The current round, from 1. */
  round: number;
  /** Index of the person to be called next, or whose call is pending. */
  next: number;
  /** Nobody is called before this instant, epoch milliseconds. */
  until: number;
  rung: Rung[];
  acknowledgedBy: string | true | null;
}

/** What is to be done next. */
export type Step =
  | { readonly do: "call"; readonly person: number }
  /** A call is on its way: its outcome comes first. */
  | { readonly do: "await"; readonly id: string }
  | { readonly do: "wait"; readonly until: number }
  | { readonly do: "end"; readonly acknowledged: boolean };

/** Whether a call may have rung. */
export const mayHaveRung = ({ outcome }: Rung) => outcome !== "rejected" && outcome !== "not-applied";

/**
 * Decides who is called when, until somebody acknowledges: a state machine without clock, timers and calls. Each person is
 * called at most once a round, and nobody once it is acknowledged.
 */
export class Ladder {
  readonly progress: Progress;

  private constructor(progress: Progress) {
    this.progress = progress;
  }

  static begin(people: readonly Called[], ringForMs: number, rounds: number): Ladder {
    const rung: Rung[] = [];
    return new Ladder({ people, ringForMs, rounds, round: 1, next: 0, until: 0, rung, acknowledgedBy: null });
  }

  /** Goes on where an earlier process has stopped. A clock that was set since does not prolong a pause. */
  static resume(progress: Progress, now: number): Ladder {
    const { ringForMs, until } = progress;
    return new Ladder({ ...progress, until: Math.min(until, now + ringForMs) });
  }

  step(now: number): Step {
    const { pending } = this;
    const { acknowledgedBy, until, next, people } = this.progress;
    if (pending) return { do: "await", id: pending.id };
    if (acknowledgedBy !== null) return { do: "end", acknowledged: true };
    if (now < until) return { do: "wait", until };
    return next < people.length ? { do: "call", person: next } : { do: "end", acknowledged: false };
  }

  /** The call whose outcome is not known yet. */
  get pending(): Rung | undefined {
    const last = this.progress.rung.at(-1);
    return last?.outcome === "pending" ? last : undefined;
  }

  get isAcknowledged(): boolean {
    return this.progress.acknowledgedBy !== null;
  }

  /** Whether anybody may have been called, as far as is known. */
  get hasRung(): boolean {
    return this.progress.rung.some(mayHaveRung);
  }

  /** The person who was called last, from 1. */
  get position(): number {
    const { next, people } = this.progress;
    if (this.pending) return next + 1;
    return next === 0 ? people.length : next;
  }

  /** The next person is about to be called. */
  call(id: string, now: number): void {
    const { people, next, round, rung } = this.progress;
    const { number, name } = people[next] as Called;
    rung.push({ id, number, name, at: now, outcome: "pending", round });
  }

  /**
   * The outcome of a call is known. That of an earlier one may become known later.
   * @param wasCutOff with its process: nobody knows when it left, so it counts from when it was tried
   */
  ended(id: string, outcome: Outcome, now: number, wasCutOff = false): void {
    const { progress } = this;
    const call = progress.rung.find((each) => each.id === id);
    if (!call) return;
    const wasPending = call.outcome === "pending";
    call.outcome = outcome;
    if (!wasPending) return;
    // It may have waited for its turn.
    if (!wasCutOff) call.at = now;
    if (mayHaveRung(call)) progress.until = call.at + progress.ringForMs;
    progress.next += 1;
    if (progress.next < progress.people.length || progress.round >= progress.rounds) return;
    // Rounds in which nobody can be called must not be over in a second.
    if (!progress.rung.some((each) => each.round === progress.round && mayHaveRung(each)))
      progress.until = now + progress.ringForMs;
    progress.round += 1;
    progress.next = 0;
  }

  /** The pending call has not left, and will not: the person has not been called. */
  takeBack(id: string): void {
    if (this.pending?.id === id) this.progress.rung.pop();
  }

  acknowledge(by: string | true): void {
    this.progress.acknowledgedBy ??= by;
  }
}
