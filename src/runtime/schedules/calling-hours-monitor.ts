import type { NodeAPI } from "node-red";
import { asConfigError, type CallingHours, notSent, type TenantClient, type TenantError } from "../../client";
import { type Host, maskNumbers } from "../../fields";
import { type Calendar, calendar, type Exceptions, formatInstant, loadZone, type Zone } from "../../hours";
import { memoizeLast } from "../../hours/memoize";
import { logText } from "../node-red/catalogue";
import { sentence } from "../node-red/texts";
import { exceptionsReader, type HoursSettings } from "./calling-hours-settings";
import { FollowedHours } from "./followed-hours";
import { resolvedInSlices } from "./read-in-slices";
import { REFRESH_SECONDS, type ScheduleCache } from "./schedule-cache";

const REFRESH_MS = REFRESH_SECONDS * 1000;

/** The client whose call-outs the hours limit, and the schedules of its tenant, which gates read, too. */
interface Target {
  readonly client: Pick<TenantClient, "hoursChanged">;
  readonly schedules: Pick<ScheduleCache, "follow" | "peek" | "isMissing">;
}

/** The hours in which a tenant's call-outs may be sent. They wait until the schedule is read, and while it cannot be read. */
export class CallingHoursMonitor implements CallingHours {
  readonly #hours: FollowedHours;
  #settings: HoursSettings | undefined;
  #target: Target | undefined;
  #read: (() => Promise<Exceptions>) | undefined;
  readonly #calendarOf = memoizeLast(calendar);
  readonly #zoneOf = memoizeLast(loadZone);
  #zone: Zone | undefined;
  #calendar: Calendar | undefined;
  problem: TenantError | undefined;
  #notified = "";
  #logged = "";

  /** @param tenant its name, for the log */
  constructor(
    private readonly RED: NodeAPI,
    private readonly tenant: string,
  ) {
    const warn = (text: string) => logText(RED, "warn", "pattern.named", { name: tenant, text });
    this.#hours = new FollowedHours(RED, (isLatest) => this.#evaluate(isLatest), warn);
  }

  get isOpen(): boolean {
    return this.#calendar?.(Date.now()).open ?? false;
  }

  wasOpen(from: number, until: number): boolean | undefined {
    const verdict = this.#calendar?.(from);
    // A clock that was set back meanwhile says nothing.
    return verdict && (verdict.open || from > until || (verdict.opensIn !== null && from + verdict.opensIn < until));
  }

  get opensAt(): string | null {
    const { open = true, opensAt = null } = this.#calendar?.(Date.now()) ?? {};
    return open ? null : opensAt;
  }

  get refusal(): TenantError | undefined {
    const { name = "" } = this.#settings ?? {};
    if (!this.#target?.schedules.isMissing({ name })) return undefined;
    const params = { name: maskNumbers(name) };
    const facts = { key: "config.hoursMissing", field: "callingHours", params } as const;
    return notSent("ERR_CONFIG", "config", facts);
  }

  get today(): string {
    return this.#zone ? formatInstant(Date.now(), this.#zone).slice(0, 10) : "";
  }

  /** Follows a schedule from now on. With the same settings, what is known of it holds until it was read again. */
  follow(settings: HoursSettings, target: Target, host: Host): void {
    this.#hours.isClosed = false;
    // What is followed from now on is fetched again.
    this.#hours.calendars.close();
    this.#read = exceptionsReader(settings, this.#hours.calendars.host(host));
    if (JSON.stringify(settings) !== JSON.stringify(this.#settings)) this.#calendar = this.problem = undefined;
    this.#settings = settings;
    this.#target = target;
    this.#hours.follow(target.schedules, { name: settings.name }, REFRESH_MS);
    void this.#hours.renew();
  }

  /** Follows nothing, and leaves no timer. */
  close(): void {
    this.#hours.close();
  }

  async #evaluate(isLatest: () => boolean): Promise<number | undefined> {
    const { zone: zoneName = "", name = "" } = this.#settings ?? {};
    try {
      const [zone, exceptions] = await Promise.all([this.#zoneOf(zoneName), this.#read?.()]);
      if (exceptions) await resolvedInSlices(exceptions, zone, Date.now());
      if (!isLatest() || !exceptions) return undefined;
      this.#zone = zone;
      const { schedule, problem } = this.#target?.schedules.peek({ name }) ?? {};
      this.#calendar = schedule && this.#calendarOf(schedule, exceptions, zone);
      this.problem = schedule ? undefined : problem;
      if (schedule) this.#hours.report(exceptions, zone);
    } catch (error) {
      if (!isLatest()) return undefined;
      this.#calendar = undefined;
      this.problem = asConfigError(error);
    }
    this.#notify();
    return this.#calendar?.(Date.now()).validUntil ?? Number.POSITIVE_INFINITY;
  }

  /** Notifies the client if its call-outs may now begin or have to wait, or if something else is shown of them. */
  #notify(): void {
    const { isOpen, opensAt, problem } = this;
    const reason = problem ? JSON.stringify([problem.key, problem.params]) : "";
    const now = JSON.stringify([isOpen, opensAt, !this.#calendar, reason, opensAt === null ? "" : this.today]);
    if (now === this.#notified) return;
    this.#notified = now;
    if (reason !== this.#logged) this.#log(problem);
    this.#logged = reason;
    this.#target?.client.hoursChanged();
  }

  /** @param problem `undefined` when the hours can be read again */
  #log(problem: TenantError | undefined): void {
    const { RED, tenant } = this;
    const reason = problem && sentence(RED, problem, { type: "telephony-tenant" });
    if (reason === undefined) logText(RED, "info", "log.callingHoursWork", { tenant });
    else logText(RED, "warn", "log.callingHours", { tenant, reason });
  }
}
