import type { NodeAPI } from "node-red";
import { asConfigError, type CallingHours, notSent, type TenantClient, type TenantError } from "../../client";
import { type Host, maskNumbers } from "../../fields";
import { formatInstant, type Verdict } from "../../hours";
import { DAY_MS } from "../../hours/dates";
import { logText } from "../node-red/catalogue";
import { sentence } from "../node-red/texts";
import { calendarAt } from "./calendars";
import type { HoursSettings } from "./calling-hours-settings";
import { Hours, type Now } from "./hours";
import { reporter } from "./notices";
import { REFRESH_SECONDS, type ScheduleCache } from "./schedule-cache";

const MONTH_MS = 31 * DAY_MS;
/** Hours are looked up no farther ahead. */
const FARTHEST_MS = 12 * MONTH_MS;

/** The client whose call-outs the hours limit, and the schedules of its tenant, which gates read, too. */
interface Target {
  readonly client: Pick<TenantClient, "hoursChanged">;
  readonly schedules: Pick<ScheduleCache, "follow" | "peek" | "get" | "isMissing">;
}

/** The hours in which a tenant's call-outs may be sent. They wait until the schedule is read, and while it cannot be read. */
export class CallingHoursMonitor implements CallingHours {
  #settings: HoursSettings | undefined;
  #target: Target | undefined;
  #opening: Promise<Hours> | undefined;
  #followed: Hours | undefined;
  /** Those that were read last. */
  #hours: Hours | undefined;
  problem: TenantError | undefined;
  #notified = "";
  #logged = "";
  readonly #report: ReturnType<typeof reporter>;

  /** @param tenant its name, for the log */
  constructor(
    private readonly RED: NodeAPI,
    private readonly tenant: string,
  ) {
    this.#report = reporter(RED, (text) => logText(RED, "warn", "pattern.named", { name: tenant, text }));
  }

  get #verdict(): Verdict | undefined {
    return this.#hours?.at(Date.now());
  }

  get isOpen(): boolean {
    return this.#verdict?.open ?? false;
  }

  wasOpen(from: number, until: number): boolean | undefined {
    const verdict = this.#hours?.at(from);
    // A clock that was set back meanwhile says nothing.
    return verdict && (verdict.open || from > until || (verdict.opensIn !== null && from + verdict.opensIn < until));
  }

  openFor(ms: number, from: number): number | undefined {
    const hours = this.#hours;
    let isOpen = hours?.at(from)?.open;
    if (!hours || isOpen === undefined) return undefined;
    let [at, left] = [from, ms];
    for (let after = from; after < from + FARTHEST_MS; after += MONTH_MS)
      for (const edge of [...hours.edges(after, after + MONTH_MS), { at: after + MONTH_MS, opens: undefined }]) {
        if (isOpen && at + left <= edge.at) return at + left;
        if (isOpen) left -= edge.at - at;
        at = edge.at;
        isOpen = edge.opens ?? isOpen;
      }
    return undefined;
  }

  get opensAt(): string | null {
    const { open = true, opensAt = null } = this.#verdict ?? {};
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
    return this.#hours ? formatInstant(Date.now(), this.#hours.zone).slice(0, 10) : "";
  }

  /** Follows a schedule from now on. With the same settings, what is known of it holds until it was read again. */
  follow(settings: HoursSettings, target: Target, host: Host): void {
    // What is followed from now on is fetched again.
    this.close();
    if (JSON.stringify(settings) !== JSON.stringify(this.#settings)) this.#hours = this.problem = undefined;
    this.#settings = settings;
    this.#target = target;
    const { name, zone, exceptions } = settings;
    const pairs = { scheduleName: name, callingExceptions: exceptions.value, callingExceptionsType: exceptions.type };
    const common = { pairs, fromTenant: true, schedules: target.schedules, refreshMs: REFRESH_SECONDS * 1000, zone };
    const source = { ...common, exceptionsField: "callingExceptions", failsClosed: true } as const;
    const opening = Hours.open(source, { ...host, calendar: (address) => calendarAt(this.RED, address) });
    this.#opening = opening;
    opening.then(
      (hours) => {
        if (this.#opening !== opening) return;
        this.#followed = hours;
        hours.follow((now) => () => this.#show(hours, now), this.#report);
      },
      (error: Error) => this.#opening === opening && this.#show(undefined, error),
    );
  }

  /** Follows nothing, and leaves no timer. */
  close(): void {
    this.#opening = undefined;
    this.#followed?.close();
  }

  /** Returns until when it holds. */
  #show(hours: Hours | undefined, now: Now): number | undefined {
    this.#hours = hours;
    this.problem = now instanceof Error ? asConfigError(now) : now?.schedule ? undefined : now?.problem;
    this.#notify();
    return this.#verdict?.validUntil ?? Number.POSITIVE_INFINITY;
  }

  /** Notifies the client if its call-outs may now begin or have to wait, or if something else is shown of them. */
  #notify(): void {
    const { isOpen, opensAt, problem } = this;
    const reason = problem ? JSON.stringify([problem.key, problem.params]) : "";
    const now = JSON.stringify([isOpen, opensAt, !this.#verdict, reason, opensAt === null ? "" : this.today]);
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
