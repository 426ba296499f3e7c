import { MILLISECONDS_A_DAY } from "./dates";
import { type DayPlan, dayPlan } from "./day-plan";
import type { Exceptions } from "./exceptions";
import { formatInstant } from "./instant";
import type { Schedule } from "./schedule";
import { type Span, spans } from "./spans";
import type { Zone } from "./zone";

/** What a schedule says of one instant. Instants as text are ISO 8601 with the zone's offset. */
export interface Verdict {
  open: boolean;
  /** `exception` whenever the day of the instant has one, `disabled` before all. */
  reason: "hours" | "outside" | "exception" | "disabled";
  /** Open: when this opening ends; closed: when the next one ends. Null when that is more than 366 days away or never. */
  closesAt: string | null;
  /** When the next opening begins; null when that is more than 366 days away or never. */
  opensAt: string | null;
  /** Milliseconds from the instant to `opensAt`. */
  opensIn: number | null;
  /** Epoch milliseconds until which all but `opensIn` surely holds, midnight at the latest; null: for good. */
  validUntil: number | null;
}

/** Judges an instant, epoch milliseconds as `readInstant` gives them. */
export type Calendar = (instant: number) => Verdict;

/** How far ahead of the judged instant to look for an edge (docs/contract.md#business-hour-gate). */
const HORIZON_DAYS = 366;
const HORIZON = HORIZON_DAYS * MILLISECONDS_A_DAY;

/** A verdict and the instants `[from, until)` that it holds for. */
interface Kept {
  readonly from: number;
  readonly until: number;
  /** Epoch milliseconds of the verdict's `opensAt`. */
  readonly opens: number | null;
  readonly verdict: Verdict;
}

/**
 * The schedule on the zone's wall clock. The last verdict is kept, so that instants near to one another, as those of
 * messages are, cost a comparison.
 */
export function calendar(schedule: Schedule, exceptions: Exceptions, zone: Zone): Calendar {
  const plan = dayPlan(schedule.days, exceptions);
  let kept = schedule.enabled ? null : DISABLED;
  return (instant) => {
    if (kept === null || instant < kept.from || instant >= kept.until) kept = judge(plan, zone, instant);
    return { ...kept.verdict, opensIn: kept.opens === null ? null : kept.opens - instant };
  };
}

const DISABLED: Kept = {
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  opens: null,
  verdict: { open: false, reason: "disabled", closesAt: null, opensAt: null, opensIn: null, validUntil: null },
};

function judge(plan: DayPlan, zone: Zone, instant: number): Kept {
  const { offset, ...stretch } = zone.stretchAt(instant);
  const day = Math.floor((instant + offset) / MILLISECONDS_A_DAY);
  const midnight = day * MILLISECONDS_A_DAY - offset;
  // The reason holds for the day, and only while the clock runs on: put back across midnight, it shows the day before again.
  let from = Math.max(stretch.from, midnight);
  let until = Math.min(stretch.until, midnight + MILLISECONDS_A_DAY);

  const { past, here, next } = spansAround(plan, zone, day, instant);
  const open = here !== undefined && here.start <= instant;
  from = Math.max(from, open ? here.start : (past?.end ?? from));
  until = Math.min(until, (open ? here.end : here?.start) ?? until);

  const withinHorizon = (edge: number | undefined): number | null => {
    if (edge === undefined) return null;
    const seenFrom = edge - HORIZON;
    if (seenFrom > instant) until = Math.min(until, seenFrom);
    else from = Math.max(from, seenFrom);
    return seenFrom > instant ? null : edge;
  };
  const closes = withinHorizon(here?.end);
  const opens = withinHorizon(open ? next?.start : here?.start);

  const exception = plan.exceptionOn(day) !== undefined;
  const verdict: Verdict = {
    open,
    reason: exception ? "exception" : open ? "hours" : "outside",
    closesAt: closes === null ? null : formatInstant(closes, zone),
    opensAt: opens === null ? null : formatInstant(opens, zone),
    opensIn: null,
    validUntil: until,
  };
  return { from, until, opens, verdict };
}

/** The last span that is over at the instant, the one it lies in or that comes next, and the one after that. */
function spansAround(plan: DayPlan, zone: Zone, day: number, instant: number) {
  let past: Span | undefined;
  let here: Span | undefined;
  // An opening reaches into the second day after its own at most; the days past the horizon are for instants of the same day.
  for (const span of spans(plan, zone, day - 2, day + HORIZON_DAYS + 4)) {
    if (here) return { past, here, next: span };
    if (span.end <= instant) past = span;
    else here = span;
  }
  return { past, here, next: undefined };
}
