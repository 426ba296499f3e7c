import type { NodeAPI } from "node-red";
import type { Exceptions, Zone } from "../../hours";
import { CalendarFollower } from "./calendar-follower";
import type { ScheduleKey } from "./find-schedule";
import { reportExceptions } from "./notices";
import type { ScheduleCache } from "./schedule-cache";

/** The longest time between two looks at the clock, which may be set. */
export const MAX_SLEEP_MS = 60_000;

/**
 * Evaluates what holds now, and does what follows from it. Must not reject.
 * @param isLatest whether nothing has called for another evaluation meanwhile; an earlier one must have no effect
 * @returns until when it holds, epoch milliseconds; `undefined` where it changes only when something is renewed
 */
export type Evaluate = (isLatest: () => boolean) => Promise<number | undefined>;

/** Follows what decides whether somebody is open: a schedule, the calendars of its exceptions, and the clock. */
export class FollowedHours {
  /** Reads the exceptions that are at an address. */
  readonly calendars: CalendarFollower;
  isClosed = false;
  #exceptions: Exceptions | undefined;
  #unfollow: (() => void) | undefined;
  #evaluations = 0;
  /** No timer outlives the hours. */
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly RED: NodeAPI,
    private readonly evaluate: Evaluate,
    private readonly warn: (text: string) => void,
  ) {
    this.calendars = new CalendarFollower(RED, () => void this.renew());
  }

  /** Follows a schedule instead of the one before. */
  follow(schedules: Pick<ScheduleCache, "follow">, key: ScheduleKey, refreshMs: number): void {
    this.#unfollow?.();
    this.#unfollow = schedules.follow(key, this, refreshMs, () => void this.renew());
  }

  /** Evaluates now, and again when the result expires. Never rejects. */
  async renew(): Promise<void> {
    this.#evaluations += 1;
    const evaluation = this.#evaluations;
    const isLatest = () => !this.isClosed && evaluation === this.#evaluations;
    if (this.isClosed) return;
    this.sleep(Number.POSITIVE_INFINITY);
    const until = await this.evaluate(isLatest);
    if (isLatest()) this.sleep(until);
  }

  /** Sets the timer for the next evaluation. Without one, the evaluation that is under way has no effect either. */
  sleep(until: number | undefined): void {
    clearTimeout(this.#timer);
    if (until === undefined) this.#evaluations += 1;
    else this.#timer = setTimeout(() => void this.renew(), Math.min(MAX_SLEEP_MS, Math.max(0, until - Date.now())));
  }

  /** Reports what is to be known of exceptions that are used from now on. */
  report(exceptions: Exceptions, zone: Zone): void {
    if (exceptions === this.#exceptions) return;
    this.#exceptions = exceptions;
    reportExceptions(this.RED, exceptions, zone, this.warn);
  }

  /** Follows nothing any more. */
  close(): void {
    this.isClosed = true;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.calendars.close();
    clearTimeout(this.#timer);
  }
}
