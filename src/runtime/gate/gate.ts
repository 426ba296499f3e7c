import type { Config, Host } from "../../fields";
import {
  type Calendar,
  calendar,
  type Exceptions,
  formatInstant,
  hostZone,
  loadZone,
  type Schedule,
  type Verdict,
  type Zone,
} from "../../hours";
import { notSent, type TenantError } from "../../tenant";
import type { CachedSchedule, ScheduleCache } from "../schedules/schedule-cache";
import { type Tenant, usable } from "../tenants/chosen-tenant";
import { type GateInputs, type GateRequest, type InputReader, inputReader } from "./inputs";
import { type GateSettings, gateSettings } from "./settings";

/** `msg.businessHour`. Instants are ISO 8601 with the zone's offset, `opensIn` is in milliseconds. */
export interface BusinessHour {
  readonly open: boolean;
  readonly reason: Verdict["reason"] | "override" | "unknown";
  readonly name: string | null;
  readonly id: number | string | null;
  readonly timezone: string;
  readonly checkedAt: string;
  readonly closesAt: string | null;
  readonly opensAt: string | null;
  readonly opensIn: number | null;
  readonly stale: boolean;
}

/** The decision for one message. */
export interface Decision {
  readonly businessHour: BusinessHour;
  readonly schedule?: Schedule;
  /** Why there is no schedule, where the gate decides without one. */
  readonly problem?: TenantError;
}

/** What holds now, without a message: a verdict, the reason why there is none, or nothing known yet. */
export type CurrentVerdict = { readonly verdict: Verdict; readonly stale: boolean } | TenantError | undefined;

const NO_TIMES = { closesAt: null, opensAt: null, opensIn: null };

/** Decides whether a request finds the gate open, on the wall clock of one zone. */
export class Gate {
  readonly settings: GateSettings;
  readonly inputs: InputReader;
  readonly zone: Zone;
  readonly #schedules: ScheduleCache | undefined;
  #calendar: { schedule: Schedule; exceptions: Exceptions; calendar: Calendar } | undefined;

  private constructor(settings: GateSettings, inputs: InputReader, zone: Zone, schedules: ScheduleCache | undefined) {
    this.settings = settings;
    this.inputs = inputs;
    this.zone = zone;
    this.#schedules = schedules;
  }

  /** Checks the configuration and loads the zone. Rejects with TenantError ERR_CONFIG. */
  static async open(config: Config, chosen: Tenant, host: Host): Promise<Gate> {
    const settings = gateSettings(config);
    const tenant = settings.usesTenant ? usable(chosen) : chosen;
    const zone = await loadZone(settings.timezone || tenant.settings?.timezone || hostZone());
    return new Gate(settings, await inputReader(settings, host, zone), zone, tenant.schedules);
  }

  /**
   * Decides without awaiting anything, where the request is the same for every message and its schedule is at hand.
   * With `decide` for every message, gate ÷ switch (npm run bench) was 0.77, with a synchronous gate 1.03.
   * @returns `undefined` where `decide` is needed
   * @throws TenantError ERR_SCHEDULE, as `decide`
   */
  decideAtOnce(): Decision | undefined {
    const request = this.inputs.fixedRequest;
    const cached = request && this.#scheduleOf(request);
    return !cached || cached instanceof Promise ? undefined : this.#decision(request, cached, Date.now());
  }

  /** Rejects with TenantError ERR_SCHEDULE where the gate has no schedule and does not decide without one. */
  async decide(request: GateRequest): Promise<Decision> {
    const instant = request.at ?? Date.now();
    return this.#decision(request, await this.#scheduleOf(request), instant);
  }

  /** The verdict for now from what is already known, for the status. */
  current({ key, schedule, exceptions }: GateInputs): CurrentVerdict {
    const cached = key ? this.#schedules?.peek(key) : uncached(schedule);
    if (!cached?.schedule) return cached?.problem;
    return { verdict: this.#calendarOf(cached.schedule, exceptions)(Date.now()), stale: cached.stale };
  }

  /** The schedule of a request. An override needs none, so it waits for none. */
  #scheduleOf({ key, schedule, override }: GateRequest): CachedSchedule | Promise<CachedSchedule> {
    if (!key || !this.#schedules) return uncached(schedule);
    if (override) return this.#schedules.peek(key) ?? uncached(undefined);
    return this.#schedules.get(key, this.settings.refreshMs);
  }

  #decision({ exceptions, override }: GateRequest, cached: CachedSchedule, instant: number): Decision {
    if (override) return { businessHour: this.#businessHour(override === "open", "override", cached, instant) };
    const { schedule } = cached;
    if (schedule) {
      const { open, reason, ...times } = this.#calendarOf(schedule, exceptions)(instant);
      return { businessHour: this.#businessHour(open, reason, cached, instant, times), schedule };
    }
    const { onUnknown } = this.settings;
    const problem = cached.problem ?? notSent("ERR_SCHEDULE", "input", { retryable: true, key: "scheduleNotGiven" });
    if (onUnknown === "error") throw problem;
    return { businessHour: this.#businessHour(onUnknown === "open", "unknown", cached, instant), problem };
  }

  #businessHour(
    open: boolean,
    reason: BusinessHour["reason"],
    { schedule, stale }: CachedSchedule,
    instant: number,
    { closesAt, opensAt, opensIn }: Pick<BusinessHour, keyof typeof NO_TIMES> = NO_TIMES,
  ): BusinessHour {
    return {
      open,
      reason,
      name: schedule?.name ?? null,
      id: schedule?.id ?? null,
      timezone: this.zone.name,
      checkedAt: formatInstant(instant, this.zone),
      closesAt,
      opensAt,
      opensIn,
      stale,
    };
  }

  /** The calendar of the last schedule is kept, because most messages ask about the same one. */
  #calendarOf(schedule: Schedule, exceptions: Exceptions): Calendar {
    const kept = this.#calendar;
    if (kept?.schedule === schedule && kept.exceptions === exceptions) return kept.calendar;
    this.#calendar = { schedule, exceptions, calendar: calendar(schedule, exceptions, this.zone) };
    return this.#calendar.calendar;
  }
}

function uncached(schedule: Schedule | undefined): CachedSchedule {
  return { schedule, stale: false, problem: undefined };
}
