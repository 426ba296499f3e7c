import { notSent, type TenantError } from "../../client";
import type { CalendarSource, Host } from "../../fields";
import { calendar, type Edge, loadZone, type Offsets, type Verdict, type Zone } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { memoizeLast } from "../../hours/memoize";
import { flows } from "../delivery/flow-lifecycle";
import { Calendar } from "./calendar";
import { forgetUnfollowed } from "./calendars";
import { type HoursSource, type InputReader, type Inputs, inputReader } from "./inputs";
import { resolvedInSlices } from "./read-in-slices";
import type { ScheduleCopy } from "./schedule-cache";

/** The longest time between two looks at the clock, which may be set. */
export const MAX_SLEEP_MS = 60_000;

/** Inputs with the schedule that they choose. */
export interface Basis extends Inputs {
  /** The reason why there is no schedule, or no newer copy of it. Without both, it was not read yet. */
  readonly problem: TenantError | undefined;
}

/** The basis that holds now, or why there is none; `undefined` where messages bring it and none has come. */
export type Now = Basis | Error | undefined;

/**
 * Does what follows, and returns until when it holds, epoch milliseconds; `undefined` where it changes only when something is
 * renewed.
 */
export type Then = () => number | undefined;

/** A week, its exceptions and a zone, followed as they change: what is open now, and the next openings and closings. */
export class Hours {
  /** The basis that holds now, once it was read for the follower. */
  #now: Basis | undefined;
  /** The inputs of the last message. */
  #given: Inputs | undefined;
  readonly #calendarOf = memoizeLast(calendar);
  /** `undefined` while nobody follows them. */
  #prepare: ((now: Now) => Then | Promise<Then>) | undefined;
  #report: (given: Inputs) => void = () => {};
  #followed: (() => void)[] = [];
  #evaluations = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly source: HoursSource,
    readonly inputs: InputReader,
    /** The zone if the inputs give none. */
    readonly zone: Zone,
    private readonly calendars: ReadonlySet<Calendar>,
  ) {}

  /** Checks what is the same for every message. Rejects with TenantError ERR_CONFIG. */
  static async open(source: HoursSource, host: Host): Promise<Hours> {
    const zone = await loadZone(source.zone);
    const calendars = new Set<Calendar>();
    const noted = (address: URL, found = host.calendar?.(address)) => {
      if (found instanceof Calendar) calendars.add(found);
      return found as CalendarSource;
    };
    const inputs = await inputReader(source, host.calendar ? { ...host, calendar: noted } : host, zone);
    return new Hours(source, inputs, zone, calendars);
  }

  /** Returns what holds at an instant; `undefined` without a schedule. */
  at(instant: number, basis = this.#now): Verdict | undefined {
    return basis?.schedule && this.#calendarOf(basis.schedule, basis.exceptions, basis.zone).at(instant);
  }

  /** The openings and closings in `(after, until]`. */
  edges(after: number, until: number, offsets?: Offsets, basis = this.#now): readonly Edge[] {
    if (!basis?.schedule) return [];
    return this.#calendarOf(basis.schedule, basis.exceptions, basis.zone).edges(after, until, offsets);
  }

  /** The basis for an instant. A promise where a schedule has to be read, or exceptions take a while to compute. */
  basis(given: Inputs, instant: number): Basis | Promise<Basis> {
    const copy = given.key && this.source.schedules?.get(given.key, this.source.refreshMs);
    const resolving = resolvedInSlices(given, instant);
    if (!(copy instanceof Promise || resolving instanceof Promise)) return basisOf(given, copy);
    return Promise.all([copy, resolving]).then(([copy]) => basisOf(given, copy));
  }

  /** The basis as far as it is known. */
  peek(given: Inputs): Basis {
    return basisOf(given, given.key && this.source.schedules?.peek(given.key));
  }

  /**
   * Follows the schedule, the calendars of its exceptions, and the clock.
   * @param prepare finds out what follows from what holds now, without an effect: a later change may overtake it. Must not throw.
   * @param report reports what is to be known of inputs that are used from now on. Must not throw.
   */
  follow(prepare: (now: Now) => Then | Promise<Then>, report: (given: Inputs) => void): void {
    const { fixedKey } = this.inputs;
    const { schedules, refreshMs } = this.source;
    const renew = () => void this.renew();
    this.#prepare = prepare;
    this.#report = report;
    this.#followed = [...this.calendars].map((each) => each.follow(renew, DAY_MS));
    if (fixedKey && schedules) this.#followed.push(schedules.follow(fixedKey, renew, refreshMs));
    renew();
  }

  /** Follows the inputs of a message, where messages bring them. Returns whether they differ from those before. */
  adopt(given: Inputs): boolean {
    const last = this.#given;
    this.#given = given;
    this.#report(given);
    const isSame = last?.schedule === given.schedule && last?.exceptions === given.exceptions;
    if (last && isSame && last.zone === given.zone && JSON.stringify(last.key) === JSON.stringify(given.key))
      return false;
    this.#sleep(undefined);
    return true;
  }

  /** Evaluates now, and again when the result expires. Never rejects. */
  async renew(): Promise<void> {
    const prepare = this.#prepare;
    if (!prepare) return;
    this.#evaluations += 1;
    const evaluation = this.#evaluations;
    this.#sleep(Number.POSITIVE_INFINITY);
    const now = await this.#read().catch((error: Error) => error);
    const then = await prepare(now);
    if (this.#prepare !== prepare || evaluation !== this.#evaluations) return;
    this.#now = now instanceof Error ? undefined : now;
    if (this.#now) this.#report(this.#now);
    this.#sleep(then());
  }

  /** The time at which the oldest copy of a calendar was fetched that is used although a newer one could not be. */
  get copyOf(): string | undefined {
    return [...this.calendars].flatMap(({ problem, value }) => (problem && value ? [value.fetchedAt] : []))[0];
  }

  /** Follows nothing any more, and leaves no timer. */
  close(): void {
    this.#prepare = undefined;
    clearTimeout(this.#timer);
    for (const unfollow of this.#followed.splice(0)) unfollow();
    // The nodes of the next deploy may follow the same calendars.
    void flows.untilRunning().then(forgetUnfollowed);
  }

  async #read(): Promise<Basis | undefined> {
    const given = this.inputs.origin === "message" ? this.#given : await this.inputs.read();
    if (!given) return undefined;
    const { failsClosed, exceptionsField: field } = this.source;
    if (failsClosed && given.missing !== undefined) {
      const params = { source: given.missing };
      throw notSent("ERR_CONFIG", "config", { key: "config.hoursExceptions", field, ...params, params });
    }
    await resolvedInSlices(given, Date.now());
    return this.peek(given);
  }

  /** Sets the timer for the next evaluation. Without one, the evaluation that is under way has no effect either. */
  #sleep(until: number | undefined): void {
    clearTimeout(this.#timer);
    if (until === undefined) this.#evaluations += 1;
    else this.#timer = setTimeout(() => void this.renew(), Math.min(MAX_SLEEP_MS, Math.max(0, until - Date.now())));
  }
}

function basisOf(given: Inputs, copy: ScheduleCopy | undefined): Basis {
  if (given.key) return { ...given, schedule: copy?.value, problem: copy?.problem };
  const isMissing = given.schedule === undefined;
  return { ...given, problem: isMissing ? notSent("ERR_SCHEDULE", "input", { key: "scheduleNotGiven" }) : undefined };
}
