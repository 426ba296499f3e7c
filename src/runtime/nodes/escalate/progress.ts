import type { Outcome } from "../../../client";

/** Somebody to be called. */
export interface Callee {
  readonly number: string;
  readonly name: string | null;
}

/** One call of an escalation. */
export interface CallAttempt extends Callee {
  /** The id of the call in the backlog. */
  readonly id: string;
  /** When it was accepted, or when it was tried, epoch milliseconds. */
  readonly at: number;
  readonly outcome: Outcome | "pending";
  readonly round: number;
}

/** How far an escalation has come. Plain JSON, kept in the record of a durable backlog. */
export interface Progress {
  readonly people: readonly Callee[];
  readonly ringForMs: number;
  readonly rounds: number;
  /** The current round, from 1. */
  readonly round: number;
  /** Index of the person to be called next, or whose call is pending. */
  readonly next: number;
  /** Nobody is called before this instant, epoch milliseconds. */
  readonly until: number;
  /** All call attempts, in order. */
  readonly rung: readonly CallAttempt[];
  readonly acknowledgedBy: string | true | null;
}

export function noProgress(people: readonly Callee[], ringForMs: number, rounds: number): Progress {
  return { people, ringForMs, rounds, round: 1, next: 0, until: 0, rung: [], acknowledgedBy: null };
}

/** Whether a call may have rung. */
export const mayHaveRung = ({ outcome }: CallAttempt) => outcome !== "rejected" && outcome !== "not-applied";

/** The call whose outcome is not known yet. */
export function pendingOf({ rung }: Progress): CallAttempt | undefined {
  const last = rung.at(-1);
  return last?.outcome === "pending" ? last : undefined;
}

/** The person who was called last, from 1. */
export function positionOf(progress: Progress): number {
  const { next, people } = progress;
  if (pendingOf(progress)) return next + 1;
  return next === 0 ? people.length : next;
}

/** With a call attempt for the next person. */
export function withAttempt(progress: Progress, id: string, now: number): Progress {
  const { people, next, round, rung } = progress;
  const { number, name } = people[next] as Callee;
  return { ...progress, rung: [...rung, { id, number, name, at: now, outcome: "pending", round }] };
}

/** Without the pending call: it has not left, and will not. */
export function withoutPending(progress: Progress): Progress {
  return pendingOf(progress) ? { ...progress, rung: progress.rung.slice(0, -1) } : progress;
}

/**
 * With the outcome of a call, which may be an earlier one. After the pending one, the next person follows.
 * @param wasCutOff with its process: nobody knows when it left, so it counts from when it was tried
 */
export function withOutcome(
  progress: Progress,
  id: string,
  outcome: Outcome,
  now: number,
  wasCutOff = false,
): Progress {
  const index = progress.rung.findIndex((each) => each.id === id);
  const call = progress.rung[index];
  if (!call || call.outcome === outcome) return progress;
  const wasPending = call.outcome === "pending";
  // It may have waited for its turn.
  const known = { ...call, outcome, at: wasPending && !wasCutOff ? now : call.at };
  const rung = progress.rung.with(index, known);
  if (!wasPending) return { ...progress, rung };
  const { people, round, rounds, ringForMs } = progress;
  const next = progress.next + 1;
  const until = mayHaveRung(known) ? known.at + ringForMs : progress.until;
  if (next < people.length || round >= rounds) return { ...progress, rung, next, until };
  // Rounds in which nobody can be called must not be over in a second.
  const isInVain = !rung.some((each) => each.round === round && mayHaveRung(each));
  return { ...progress, rung, round: round + 1, next: 0, until: isInVain ? now + ringForMs : until };
}
