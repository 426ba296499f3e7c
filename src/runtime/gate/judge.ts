import { type Calendar, calendar, formatInstant, type Schedule, type Zone } from "../../hours";
import { notSent, type TenantError } from "../../tenant";
import type { CachedSchedule, ScheduleCache } from "../schedules/schedule-cache";
import type { BusinessHour } from "./business-hour";
import type { GateInputs, GateRequest, GateSources } from "./inputs";
import type { CurrentVerdict } from "./status";

/** Judges what a gate is asked, on the wall clock of one zone. */
export class GateJudge {
  readonly #zone: Zone;
  readonly #sources: GateSources;
  readonly #book: ScheduleCache | undefined;
  readonly #unknown: (problem: TenantError) => void;
  #calendar: { schedule: Schedule; exceptions: GateInputs["exceptions"]; judge: Calendar } | undefined;

  /** @param unknown told why there is no schedule, where the gate goes on without one */
  constructor(
    zone: Zone,
    sources: GateSources,
    book: ScheduleCache | undefined,
    unknown: (problem: TenantError) => void,
  ) {
    this.#zone = zone;
    this.#sources = sources;
    this.#book = book;
    this.#unknown = unknown;
  }

  /** Throws TenantError or FieldError, or rejects with one. */
  judge(question: GateRequest): BusinessHour | Promise<BusinessHour> {
    const { at, key, schedule, override } = question;
    const instant = this.#sources.instant(at, this.#zone);
    if (!key) return this.#decide(question, { schedule, stale: false, problem: undefined }, instant);
    const book = this.#book;
    if (!book) throw notSent("ERR_CONFIG", "config", { key: "config.tenantMissing", field: "tenant" });
    // An override needs no schedule; it only tells of one that is in hand.
    const none: CachedSchedule = { schedule: undefined, stale: false, problem: undefined };
    const known = override ? (book.peek(key) ?? none) : book.get(key, this.#sources.refreshMs);
    return known instanceof Promise
      ? known.then((copy) => this.#decide(question, copy, instant))
      : this.#decide(question, known, instant);
  }

  /** What holds now by what is in hand, for the status. */
  standing(matter: GateInputs | undefined): CurrentVerdict {
    if (!matter) return undefined;
    const { key, schedule, exceptions } = matter;
    const known = key ? this.#book?.peek(key) : { schedule, stale: false, problem: undefined };
    if (!known?.schedule) return known?.problem;
    return { verdict: this.#calendarOf(known.schedule, exceptions)(Date.now()), stale: known.stale };
  }

  #decide(
    { override, exceptions }: GateRequest,
    { schedule, stale, problem }: CachedSchedule,
    instant: number,
  ): BusinessHour {
    const fixed = {
      name: schedule?.name ?? null,
      id: schedule?.id ?? null,
      timezone: this.#zone.name,
      checkedAt: formatInstant(instant, this.#zone),
    };
    const bare = (open: boolean, reason: BusinessHour["reason"]) => ({
      open,
      reason,
      ...fixed,
      closesAt: null,
      opensAt: null,
      opensIn: null,
      stale,
    });
    if (override) return bare(override === "open", "override");
    if (!schedule) {
      const { onUnknown } = this.#sources;
      const error = problem ?? notSent("ERR_SCHEDULE", "input", { retryable: true, key: "scheduleNotGiven" });
      if (onUnknown === "error") throw error;
      this.#unknown(error);
      return bare(onUnknown === "open", "unknown");
    }
    const { open, reason, closesAt, opensAt, opensIn } = this.#calendarOf(schedule, exceptions)(instant);
    return { open, reason, ...fixed, closesAt, opensAt, opensIn, stale };
  }

  /** The calendar of the last schedule is kept: messages mostly ask about the same one. */
  #calendarOf(schedule: Schedule, exceptions: GateInputs["exceptions"]): Calendar {
    const kept = this.#calendar;
    if (kept?.schedule === schedule && kept.exceptions === exceptions) return kept.judge;
    const judge = calendar(schedule, exceptions, this.#zone);
    this.#calendar = { schedule, exceptions, judge };
    return judge;
  }
}
