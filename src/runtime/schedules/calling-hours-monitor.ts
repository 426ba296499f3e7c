import { asConfigError, type CallingHours, notSent, type TenantClient, type TenantError } from "../../client";
import type { Host } from "../../fields";
import { type Calendar, calendar, type Exceptions, formatInstant, loadZone, type Zone } from "../../hours";
import { memoizeLast } from "../../hours/memoize";
import { NoSchedule } from "../node-red/no-schedule";
import type { CalendarFollower } from "./calendars/calendar-follower";
import { exceptionsReader, type HoursSettings } from "./calling-hours-settings";
import { resolvedInSlices } from "./read-in-slices";
import { MAX_SLEEP_MS, REFRESH_SECONDS, type ScheduleCache } from "./schedule-cache";

const REFRESH_MS = REFRESH_SECONDS * 1000;

/** The client whose call-outs the hours limit, and the schedules of its tenant, which gates read, too. */
interface Target {
  readonly client: Pick<TenantClient, "hoursChanged">;
  readonly schedules: Pick<ScheduleCache, "follow" | "peek" | "isOutdated">;
}

/** The hours in which a tenant's call-outs may be sent. They wait until the schedule is read, and while it cannot be read. */
export class CallingHoursMonitor implements CallingHours {
  readonly #log: (problem: TenantError | undefined) => void;
  readonly #calendars: Pick<CalendarFollower, "host" | "renew" | "close">;
  readonly #met: (exceptions: Exceptions, zone: Zone) => void;
  #settings: HoursSettings | undefined;
  #target: Target | undefined;
  #read: (() => Promise<Exceptions>) | undefined;
  readonly #calendarOf = memoizeLast(calendar);
  #exceptions: Exceptions | undefined;
  #zone: Zone | undefined;
  #calendar: Calendar | undefined;
  #problem: TenantError | undefined;
  /** Ends the following of the schedule. */
  #unfollow: (() => void) | undefined;
  /** Runs while a schedule is followed. */
  #timer: NodeJS.Timeout | undefined;
  /** Counts readings of the exceptions, so that a slow one does not replace a later one. */
  #readings = 0;
  #notified = "";
  #logged = "";

  /**
   * @param log called when the hours cannot be read, and with `undefined` when they can be again
   * @param calendars reads the exceptions that are at an address, and calls back when they change
   * @param met called with exceptions that are used from now on
   */
  constructor(
    log: (problem: TenantError | undefined) => void,
    calendars: (changed: () => void) => Pick<CalendarFollower, "host" | "renew" | "close">,
    met: (exceptions: Exceptions, zone: Zone) => void,
  ) {
    this.#log = log;
    this.#met = met;
    this.#calendars = calendars(() => void this.#renew());
  }

  get isOpen(): boolean {
    return this.#calendar?.(Date.now()).open ?? false;
  }

  get opensAt(): string | null {
    const { open = true, opensAt = null } = this.#calendar?.(Date.now()) ?? {};
    return open ? null : opensAt;
  }

  get problem(): TenantError | undefined {
    return this.#problem;
  }

  get refusal(): TenantError | undefined {
    const [problem, { name = "" } = {}] = [this.#problem, this.#settings];
    const isMissing = problem instanceof NoSchedule && problem.why.key === "schedule.none";
    if (!isMissing || this.#target?.schedules.isOutdated({ name })) return undefined;
    const facts = { key: "config.hoursMissing", field: "callingHours", params: problem.params } as const;
    return notSent("ERR_CONFIG", "config", facts);
  }

  get today(): string {
    return this.#zone ? formatInstant(Date.now(), this.#zone).slice(0, 10) : "";
  }

  /** Follows a schedule from now on. With the same settings, only the host that reads values outside of the flow file is replaced. */
  follow(settings: HoursSettings, target: Target, host: Host): void {
    const isSame = JSON.stringify(settings) === JSON.stringify(this.#settings);
    this.#calendars.renew();
    this.#read = exceptionsReader(settings, this.#calendars.host(host));
    if (!isSame) {
      this.#calendar = this.#problem = undefined;
      if (settings.zone !== this.#settings?.zone) this.#zone = undefined;
    }
    this.#settings = settings;
    this.#target = target;
    if (!this.#unfollow || !isSame) {
      this.#unfollow?.();
      this.#unfollow = target.schedules.follow({ name: settings.name }, this, REFRESH_MS, () => void this.#renew());
    }
    void this.#renew();
  }

  /** Follows nothing, and leaves no timer. */
  close(): void {
    this.#readings += 1;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#calendars.close();
    clearTimeout(this.#timer);
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    this.#plan();
    try {
      const { zone = "" } = this.#settings ?? {};
      const [loaded, exceptions] = await Promise.all([this.#zone ?? loadZone(zone), this.#read?.()]);
      if (exceptions) await resolvedInSlices(exceptions, loaded, Date.now());
      if (reading === this.#readings && exceptions) this.#use(loaded, exceptions);
    } catch (error) {
      if (reading === this.#readings) this.#fail(asConfigError(error));
    }
    if (reading !== this.#readings) return;
    this.#plan();
    this.#notify();
  }

  #use(zone: Zone, exceptions: Exceptions): void {
    this.#zone = zone;
    const { name = "" } = this.#settings ?? {};
    const { schedule, problem } = this.#target?.schedules.peek({ name }) ?? {};
    if (!schedule) {
      this.#fail(problem);
      return;
    }
    this.#problem = undefined;
    this.#calendar = this.#calendarOf(schedule, exceptions, zone);
    if (this.#exceptions !== exceptions) this.#met(exceptions, zone);
    this.#exceptions = exceptions;
  }

  /** @param problem `undefined` before the first reading */
  #fail(problem: TenantError | undefined): void {
    this.#calendar = undefined;
    this.#problem = problem;
  }

  /** Sets the timer for the next opening, closing, or change of the exceptions. */
  #plan(): void {
    clearTimeout(this.#timer);
    const { validUntil = null } = this.#calendar?.(Date.now()) ?? {};
    // Exceptions may change elsewhere.
    const wait = validUntil === null ? MAX_SLEEP_MS : Math.min(MAX_SLEEP_MS, validUntil - Date.now());
    this.#timer = setTimeout(() => void this.#renew(), wait);
  }

  /** Notifies the client if its call-outs may now begin or have to wait, or if something else is shown of them. */
  #notify(): void {
    const { isOpen, opensAt, problem } = this;
    const reason = problem ? JSON.stringify([problem.key, problem.params]) : "";
    const now = JSON.stringify([isOpen, opensAt, reason, opensAt === null ? "" : this.today]);
    if (now === this.#notified) return;
    this.#notified = now;
    if (reason !== this.#logged) this.#log(problem);
    this.#logged = reason;
    this.#target?.client.hoursChanged();
  }
}
