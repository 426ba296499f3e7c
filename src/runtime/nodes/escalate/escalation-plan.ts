import { AGAIN_MS } from "../../../backlog";
import type { Outcome, TenantError } from "../../../client";
import { lost } from "../../../client/errors";
import type { Command, Ending, Event, Plan } from "./plan";
import {
  type CallEnd,
  failureOf,
  mayHaveRung,
  noProgress,
  type Progress,
  pendingOf,
  troubleLeft,
  withAttempt,
  withOutcome,
  withoutPending,
} from "./progress";

/** Failures that every other number would meet too, or that an operator caused. */
const FATAL = ["ERR_CONFIG", "ERR_DROPPED"];
/** The interval of noting how long trouble has kept the call: a process that is killed notes nothing. Milliseconds. */
const NOTE_TROUBLE_MS = 60_000;
/** Stands for the id of a call attempt where the end is to be saved before it is reported. */
export const END = "end";

interface Transition {
  readonly plan: Plan;
  readonly commands: readonly Command[];
}

/** The plan of an incident whose first message is being read. */
export function newPlan(idPrefix: string, isShared: boolean): Plan {
  const progress = noProgress({ people: [], ringForMs: 0, rounds: 0, quietForMs: 0 });
  const begun = { phase: "reading", attempt: "none", record: "none" } as const;
  return { ...begun, progress, isNodeThere: false, attempts: 0, isShared, idPrefix };
}

/** The plan of an incident that another process has left. A clock that was set since does not prolong a pause. */
export function restoredPlan(left: Progress, idPrefix: string, isShared: boolean, now: number): Plan {
  const progress = { ...left, until: Math.min(left.until, now + left.ringForMs) };
  const attempt = pendingOf(left) ? "left" : "none";
  const begun = { phase: "running", attempt, record: "own" } as const;
  return { ...begun, progress, isNodeThere: false, attempts: 0, isShared, idPrefix };
}

/**
 * Decides what follows from an event. Each person is called at most once a round, nobody once it is resolved, and each call is in
 * the record before it is made. Pure.
 */
export function next(plan: Plan, event: Event, now: number): Transition {
  if (plan.phase === "ended") return stay(plan);
  const made = timed(transition(plan, event, now), now);
  const { progress, record, phase } = made.plan;
  const hasChanged = progress !== plan.progress && record === "own" && phase !== "ended";
  const isSaved = made.commands.some((command) => command.do === "save" || command.do === "removeRecord");
  return hasChanged && !isSaved ? { ...made, commands: [{ do: "save", id: null }, ...made.commands] } : made;
}

function transition(plan: Plan, event: Event, now: number): Transition {
  const { progress } = plan;
  switch (event.type) {
    case "read": {
      const { type: _, unreadable = [], ...beginning } = event;
      const refused = { id: "", at: now, outcome: "not-applied", code: "ERR_INPUT", round: 1 } as const;
      const rung = unreadable.map(({ number, name }) => ({ ...refused, number, name }));
      const begun = { ...noProgress(beginning), rung, resolution: progress.resolution };
      return advance({ ...plan, progress: begun, phase: plan.phase === "reading" ? "running" : plan.phase }, now);
    }
    case "attached":
      return advance({ ...plan, isNodeThere: true }, now);
    case "detached":
      return stay({ ...plan, isNodeThere: false });
    case "due":
      if (plan.unsaved !== undefined && plan.phase === "running")
        return { plan: { ...plan, unsaved: undefined }, commands: [{ do: "save", id: plan.unsaved }] };
      return plan.keptSince === undefined ? advance(plan, now) : lookAtTime(plan, plan.keptSince, now);
    case "again":
      // A call that waits as what was left from before the start is made anew.
      return plan.attempt === "placed" && !isStopping(plan) ? recall(plan) : stay(plan);
    case "trouble":
      return stay({ ...plan, trouble: event.error });
    case "acknowledged":
    case "over":
      if (progress.resolution && (event.type === "acknowledged" || progress.resolution.type === "over"))
        return stay(plan);
      return stopCalling({ ...plan, progress: { ...progress, resolution: event } }, now);
    case "failed": {
      const failing = { ...plan, failure: plan.failure ?? event.error };
      return plan.phase === "reading" ? end(failing, { as: "failed", error: event.error }) : stopCalling(failing, now);
    }
    case "saved":
      return saved(plan, event.id, event.isOwn, now);
    case "saveFailed":
      return saveFailed(plan, event.id, event.error, now);
    case "result":
      return result(plan, event, now);
    case "notFound":
      if (pendingOf(progress)?.id !== event.id) return stay(plan);
      return result(plan, { id: event.id, outcome: "unknown", error: lost() }, now);
    case "takenOver":
      return end({ ...plan, record: "none" }, { as: "elsewhere" });
    case "stopped":
      return stay({ ...plan, phase: plan.record === "own" ? "stopped" : "abandoned" });
  }
}

/** Counts for how long trouble keeps the pending call. */
function timed({ plan, commands }: Transition, now: number): Transition {
  const { trouble, keptSince, progress } = plan;
  const isKept = trouble !== undefined && plan.attempt === "placed" && plan.phase === "running";
  if (isKept && keptSince === undefined)
    return { plan: { ...plan, keptSince: now }, commands: [...commands, wakeInTrouble(progress, now)] };
  if (isKept || keptSince === undefined) return { plan, commands };
  const troubleMs = progress.troubleMs + now - keptSince;
  return { plan: { ...plan, keptSince: undefined, progress: { ...progress, troubleMs } }, commands };
}

function wakeInTrouble(progress: Progress, now: number): Command {
  return { do: "wake", at: now + Math.min(troubleLeft(progress), NOTE_TROUBLE_MS) };
}

/** Gives up when trouble has kept the calls for too long. */
function lookAtTime(before: Plan, keptSince: number, now: number): Transition {
  const progress = { ...before.progress, troubleMs: before.progress.troubleMs + now - keptSince };
  const plan = { ...before, progress, keptSince: now };
  if (troubleLeft(progress) > 0) return { plan, commands: [wakeInTrouble(progress, now)] };
  const { people, rounds } = progress;
  const { trouble } = plan;
  const isFirst = outcomeSoFar(plan, true) === "not-applied";
  const failure = trouble && failureOf(trouble);
  // That nothing was sent is not true of the calls before.
  const lastFailure = failure
    ? { ...failure, ...(!isFirst && { key: "serviceFailsMeanwhile" as const }) }
    : progress.lastFailure;
  const last = { ...progress, lastFailure, round: rounds, next: people.length, until: now };
  return stopCalling({ ...plan, progress: last }, now);
}

/** Does what is due, unless something is under way. */
function advance(plan: Plan, now: number): Transition {
  const { progress, attempt, failure, record, isNodeThere } = plan;
  const isDone = progress.resolution !== null;
  if (plan.phase !== "running" || record === "claiming") return stay(plan);
  if (attempt === "left" && (isNodeThere || isDone || failure)) return recall(plan);
  if (attempt !== "none") return stay(plan);
  if (failure) return end(plan, { as: "failed", error: failure });
  if (isDone) {
    // It may be another process' incident: nobody has asked before the first call.
    if (record === "none" && plan.isShared)
      return { plan: { ...plan, record: "claiming", ended: progress }, commands: [{ do: "save", id: null }] };
    return endWithNode(plan, { as: "resolved" });
  }
  const { people, next: person, until, rung, lastFailure } = progress;
  if (now < until) return { plan, commands: [{ do: "wake", at: until }] };
  if (person >= people.length) {
    const wasCalled = lastFailure === null || rung.some(({ outcome }) => outcome === "applied");
    return endWithNode(plan, wasCalled ? { as: "nobody" } : { as: "failed", error: lastFailure });
  }
  return isNodeThere ? attemptCall(plan, now) : stay(plan);
}

function recall(plan: Plan): Transition {
  const id = pendingOf(plan.progress)?.id;
  return id === undefined ? stay(plan) : { plan: { ...plan, attempt: "recalled" }, commands: [{ do: "recall", id }] };
}

function attemptCall(plan: Plan, now: number): Transition {
  const attempts = plan.attempts + 1;
  const id = `${plan.idPrefix}-${attempts}`;
  const progress = withAttempt(plan.progress, id, now);
  return { plan: { ...plan, progress, attempts, attempt: "saving" }, commands: [{ do: "save", id }] };
}

/**
 * A result that a deploy holds would be lost with a kill, as its record is removed: until then, the record has what it needs. It
 * gets the end first, since another process may have taken over the incident.
 */
function endWithNode(plan: Plan, ending: Ending): Transition {
  if (plan.record !== "own" || (plan.isNodeThere && plan.ended === plan.progress)) return end(plan, ending);
  if (!plan.isNodeThere) return stay(plan);
  return { plan: { ...plan, attempt: "ending", ended: plan.progress }, commands: [{ do: "save", id: END }] };
}

/** Takes back a call that waits or connects; otherwise goes on to the end. */
function stopCalling(plan: Plan, now: number): Transition {
  const id = pendingOf(plan.progress)?.id;
  return plan.attempt === "placed" && id !== undefined
    ? { plan, commands: [{ do: "withdraw", id }] }
    : advance(plan, now);
}

function saved(plan: Plan, id: string | null, isOwn: boolean, now: number): Transition {
  if (!isOwn && id === null && plan.record === "own") return stay(plan);
  if (!isOwn) return end({ ...plan, record: "none" }, { as: "elsewhere" });
  const owned: Plan = { ...plan, record: "own" };
  if (plan.record === "claiming") return advance(owned, now);
  if (id === END) return advance({ ...owned, attempt: "none" }, now);
  if (plan.attempt !== "saving" || id === null || pendingOf(plan.progress)?.id !== id) return stay(owned);
  if (plan.phase === "running" && !isStopping(plan))
    return {
      plan: { ...owned, attempt: "placed" },
      commands: [{ do: "call", id, person: plan.progress.next }],
    };
  const takenBack: Plan = { ...owned, progress: withoutPending(plan.progress), attempt: "none" };
  // An incident that is listed as unfinished must not go on after the next start.
  return plan.phase === "abandoned" ? { plan: takenBack, commands: [{ do: "removeRecord" }] } : advance(takenBack, now);
}

/** Fails an incident without a record, which a second process could run, too. One that has a record waits until that can be written. */
function saveFailed(plan: Plan, id: string | null, error: TenantError, now: number): Transition {
  const { record, failure } = plan;
  if (record === "own" && id === null) return stay(plan);
  if (record !== "none" && !failure)
    return { plan: { ...plan, unsaved: id }, commands: [{ do: "wake", at: now + AGAIN_MS }] };
  const [progress, left] = [withoutPending(plan.progress), record === "own" ? record : "none"] as const;
  return advance({ ...plan, progress, record: left, attempt: "none", failure: failure ?? error }, now);
}

function result(plan: Plan, call: CallEnd, now: number): Transition {
  const { id, error } = call;
  const known = withOutcome(plan.progress, call, now);
  if (pendingOf(plan.progress)?.id !== id) return stay({ ...plan, progress: known });
  const isOurs = isStopping(plan) || plan.attempt === "recalled" || plan.phase !== "running";
  const isUnstored = error?.code === "ERR_ENGINE";
  const isTakenBack = (isOurs && error?.code === "ERR_DROPPED") || isUnstored;
  const progress = isTakenBack ? withoutPending(plan.progress) : known;
  const failure = !isOurs && error && FATAL.includes(error.code) ? error : plan.failure;
  const freed: Plan = { ...plan, progress, failure, attempt: "none" };
  // What fails at once is not tried again at once.
  if (isUnstored && !isOurs) return { plan: freed, commands: [{ do: "wake", at: now + AGAIN_MS }] };
  return advance(freed, now);
}

/** Whether the escalation calls nobody else. */
const isStopping = ({ progress: { resolution, next, people }, failure }: Plan) =>
  resolution !== null || failure !== undefined || next >= people.length;

const stay = (plan: Plan): Transition => ({ plan, commands: [] });

const end = (plan: Plan, ending: Ending): Transition => ({
  plan: { ...plan, phase: "ended" },
  commands: [{ do: "end", ending }],
});

/**
 * Returns what is known of all calls together.
 * @param isWaiting the pending call has not left, and will not
 */
export function outcomeSoFar({ progress, attempt }: Plan, isWaiting = false): Outcome {
  const isUnsent = isWaiting || attempt === "saving";
  const hasRung = progress.rung.some((call) => mayHaveRung(call) && !(isUnsent && call.outcome === "pending"));
  return hasRung ? "unknown" : "not-applied";
}
