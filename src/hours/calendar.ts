import { DAY_MS, dayOf } from "./dates";
import type { Exceptions } from "./exceptions";
import { formatInstant } from "./instant";
import type { Schedule } from "./schedule";
import { type DayPlan, planAround, type Span, spans } from "./spans";
import { dayIn, type Zone } from "./zone";

/** The state of a schedule at one instant. Instants in text are ISO 8601 with the zone's offset. */
export interface Verdict {
  open: boolean;
  /** `exception` if the day of the instant has one, or an event closes at the instant; `disabled` takes precedence. */
  reason: "hours" | "outside" | "exception" | "disabled";
  /** The name of that exception. */
  exception: string | null;
  /** Whether that exception has openings of its own; absent if not. */
  hasSpecialHours?: boolean | undefined;
  /** Open: the end of this opening; closed: the end of the next one. Null if that is more than 366 days ahead or never. */
  closesAt: string | null;
  /** The start of the next opening; null if that is more than 366 days ahead or never. */
  opensAt: string | null;
  /** Milliseconds from the instant to `opensAt`. */
  opensIn: number | null;
  /** Epoch milliseconds until which everything but `opensIn` holds, at most until midnight; null means forever. */
  validUntil: number | null;
}

/** An opening or a closing of a schedule. */
export interface Edge {
  readonly opens: boolean;
  /** Epoch milliseconds, with the offset. */
  readonly at: number;
}

/** Milliseconds that are added to the edges, at most a day; a negative one comes before. */
export type Offsets = Readonly<Record<"opening" | "closing", number>>;

/** A schedule and its exceptions on the wall clock of a zone. Instants are epoch milliseconds. */
export interface Calendar {
  readonly at: (instant: number) => Verdict;
  /**
   * The openings and closings in `(after, until]`, in order; of two at one instant, the closing is first. Times that touch are
   * one, as for `at`: a schedule that never closes has no edges.
   */
  readonly edges: (after: number, until: number, offsets?: Offsets) => Edge[];
}

/** The number of days ahead in which openings are searched (docs/contract/gate.md). */
const HORIZON_DAYS = 366;
const HORIZON = HORIZON_DAYS * DAY_MS;

/**
 * Days around those whose edges are asked for. An opening reaches into the second day after its own, and one that begins before
 * the first day that is looked at must not seem to open there.
 */
const DAYS_AROUND = 4;

/** The times that a verdict without a week does not know. */
export const NO_TIMES = { exception: null, closesAt: null, opensAt: null, opensIn: null, validUntil: null } as const;

/** The last verdict is cached: for an instant that is soon after it, as that of the next message is, a verdict costs a comparison. */
export function calendar(schedule: Schedule, exceptions: Exceptions, zone: Zone): Calendar {
  if (!schedule.enabled) return { at: () => ({ open: false, reason: "disabled", ...NO_TIMES }), edges: () => [] };
  const plan = planAround(schedule.days, exceptions, zone);
  let cached: ReturnType<typeof verdictAt> | undefined;
  return {
    at(instant) {
      if (!cached || instant < cached.from || instant >= cached.verdict.validUntil)
        cached = verdictAt(plan(instant), zone, instant);
      return { ...cached.verdict, opensIn: cached.opens === null ? null : cached.opens - instant };
    },
    edges(after, until, { opening, closing } = { opening: 0, closing: 0 }) {
      const first = dayIn(zone, after - Math.max(opening, closing)) - DAYS_AROUND;
      const last = dayIn(zone, until - Math.min(opening, closing)) + DAYS_AROUND;
      const found: Edge[] = [];
      for (const { start, end } of spans(plan(after), zone, first, last))
        found.push({ opens: true, at: start + opening }, { opens: false, at: end + closing });
      return found
        .filter(({ at }) => after < at && at <= until)
        .sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens));
    },
  };
}

/** The verdict for an instant, which holds from there until `validUntil`, and its `opensAt` in epoch milliseconds. */
function verdictAt(plan: DayPlan, zone: Zone, instant: number) {
  const { offset, until: end } = zone.offsetPeriodAt(instant);
  const day = dayOf(instant + offset);
  // The reason holds for the day, and only within one offset period: a clock that is put back across midnight shows the
  // previous day again.
  let until = Math.min(end, (day + 1) * DAY_MS - offset);

  const [here, next] = spansFrom(plan, zone, day, instant);
  const open = here !== undefined && here.start <= instant;
  until = Math.min(until, (open ? here.end : here?.start) ?? until);

  const withinHorizon = (edge: number | undefined): number | null => {
    if (edge === undefined || edge - HORIZON <= instant) return edge ?? null;
    until = Math.min(until, edge - HORIZON);
    return null;
  };
  const closes = withinHorizon(here?.end);
  const opens = withinHorizon(open ? next?.start : here?.start);

  const following = plan.closings.find(({ end }) => end > instant);
  const closing = following && following.start <= instant ? following : undefined;
  until = Math.min(until, (closing ? closing.end : following?.start) ?? until);
  const specialDay = plan.exceptionOn(day);
  const special = specialDay ?? closing;
  const verdict: Verdict & { readonly validUntil: number } = {
    open,
    reason: special ? "exception" : open ? "hours" : "outside",
    exception: special?.name ?? null,
    ...(specialDay?.openings.length && { hasSpecialHours: true }),
    closesAt: closes === null ? null : formatInstant(closes, zone),
    opensAt: opens === null ? null : formatInstant(opens, zone),
    opensIn: null,
    validUntil: until,
  };
  return { from: instant, opens, verdict };
}

/** The span that contains the instant or comes next, and the one after that. */
function spansFrom(plan: DayPlan, zone: Zone, day: number, instant: number): Span[] {
  const found: Span[] = [];
  // An opening reaches at most into the second day after its own. The verdict is reused for the whole day, hence the
  // days beyond the horizon.
  for (const span of spans(plan, zone, day - 2, day + HORIZON_DAYS + 4)) {
    if (span.end > instant) found.push(span);
    if (found.length === 2) break;
  }
  return found;
}
