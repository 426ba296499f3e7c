import type { Config, Host } from "../../../fields";
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
} from "../../../hours";
import { notSent, type TenantError } from "../../../tenant";
import { type Clock, clockOf } from "../../schedules/clock";
import type { CachedSchedule, ScheduleCache } from "../../schedules/schedule-cache";
import { type Tenant, usable } from "../../tenants/chosen-tenant";
import { type GateInputs, type GateRequest, type InputReader, inputReader, type Override } from "./inputs";
import { type Speaker, speaker } from "./sentences";
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
  /** No holidays are known, although they are configured: the gate goes by the week. */
  readonly incomplete: boolean;
  /** The name of the exception that holds. */
  readonly exception: string | null;
  /** The result in one or two sentences, to be spoken to a caller. */
  readonly sentence: string;
}

/** The decision for one message. */
export interface Decision {
  readonly businessHour: BusinessHour;
  readonly zone: Zone;
  readonly schedule?: Schedule;
  /** Why there is no schedule, where the gate decides without one. */
  readonly problem?: TenantError;
}

/** A verdict that holds now. */
export interface Standing {
  readonly verdict: Verdict;
  readonly stale: boolean;
  readonly incomplete: boolean;
  readonly schedule: Schedule;
  readonly zone: Zone;
}

/** A person has closed the gate with its button. */
export interface ClosedByHand {
  /** Epoch milliseconds. */
  readonly closedUntil: number;
  readonly zone: Zone;
}

/** What a message would meet now: an override, a verdict, the reason why there is none, or nothing known yet. */
export type CurrentVerdict = Standing | ClosedByHand | Exclude<Override, undefined> | TenantError | undefined;

const NO_TIMES = { closesAt: null, opensAt: null, opensIn: null, exception: null };

/** Decides whether a request finds the gate open. */
export class Gate {
  readonly settings: GateSettings;
  readonly inputs: InputReader;
  /** The zone of the server, where neither the gate nor its tenant gives one. */
  readonly serverZone: Zone | undefined;
  readonly clock: Clock;
  readonly #zone: Zone;
  readonly #schedules: ScheduleCache | undefined;
  readonly #speak: Speaker;
  readonly #closing: { readonly until: number | undefined };
  #calendar: { schedule: Schedule; exceptions: Exceptions; zone: Zone; calendar: Calendar } | undefined;

  private constructor(
    settings: GateSettings,
    inputs: InputReader,
    zone: { readonly fallback: Zone; readonly ofServer: Zone | undefined },
    clock: Clock,
    schedules: ScheduleCache | undefined,
    speak: Speaker,
    closing: { readonly until: number | undefined },
  ) {
    this.settings = settings;
    this.inputs = inputs;
    this.serverZone = zone.ofServer;
    this.#zone = zone.fallback;
    this.#closing = closing;
    this.clock = clock;
    this.#schedules = schedules;
    this.#speak = speak;
  }

  /**
   * Checks the configuration and loads the zone. Rejects with TenantError ERR_CONFIG.
   * @param language of the server
   * @param closing until when a person has closed the gate
   */
  static async open(
    config: Config,
    chosen: Tenant,
    host: Host,
    language: string,
    closing: { readonly until: number | undefined } = { until: undefined },
  ): Promise<Gate> {
    const settings = gateSettings(config);
    const tenant = settings.usesTenant ? usable(chosen) : chosen;
    const ofTenant = tenant.settings?.timezone;
    const zone = await loadZone(ofTenant || hostZone());
    const clock = clockOf(config, tenant);
    const inputs = await inputReader(settings, { ...host, now: () => clock.now() }, zone);
    return new Gate(
      settings,
      inputs,
      { fallback: zone, ofServer: ofTenant ? undefined : zone },
      clock,
      tenant.schedules,
      speaker(settings.language, language),
      closing,
    );
  }

  /**
   * Decides without awaiting anything, where the request is the same for every message and its schedule is at hand.
   * With `decide` for every message, gate ÷ switch (npm run bench) was 0.77, with a synchronous gate 1.03.
   * @returns `undefined` where `decide` is needed
   * @throws TenantError ERR_SCHEDULE, as `decide`
   */
  decideAtOnce(): Decision | undefined {
    const request = this.inputs.fixedRequest && this.#asClosed(this.inputs.fixedRequest);
    const cached = request && this.#scheduleFor(request);
    return !cached || cached instanceof Promise ? undefined : this.decision(request, cached, this.clock.now());
  }

  /** Rejects with TenantError ERR_SCHEDULE where the gate has no schedule and does not decide without one. */
  async decide(read: GateRequest): Promise<Decision> {
    const request = this.#asClosed(read);
    const instant = request.at ?? this.clock.now();
    return this.decision(request, await this.#scheduleFor(request), instant);
  }

  /**
   * What a message would meet now from what is already known, for the status.
   * @param inputs `undefined` where messages bring them and none has come
   */
  async current(inputs: GateInputs | undefined): Promise<CurrentVerdict> {
    const { until: closedUntil } = this.#closing;
    if (closedUntil !== undefined) return { closedUntil, zone: inputs?.zone ?? this.#zone };
    const { at, override } = await this.inputs.readOptions(inputs?.zone);
    if (override || !inputs) return override;
    const { exceptions, zone } = inputs;
    const cached = this.peek(inputs);
    if (!cached?.schedule) return cached?.problem;
    const verdict = this.#calendarOf(cached.schedule, exceptions, zone)(at ?? this.clock.now());
    return {
      // A fixed instant does not pass.
      verdict: at === undefined ? verdict : { ...verdict, validUntil: null },
      stale: cached.stale,
      incomplete: inputs.missing !== undefined,
      schedule: cached.schedule,
      zone,
    };
  }

  /** The button is an override of all messages but those that bring their own. */
  #asClosed(request: GateRequest): GateRequest {
    const isOwn = request.override !== undefined && this.inputs.bringsOverride;
    return isOwn || this.#closing.until === undefined ? request : { ...request, override: "closed" };
  }

  /** The schedule of a request. An override needs none, so it waits for none. */
  #scheduleFor(request: GateRequest): CachedSchedule | Promise<CachedSchedule> {
    return request.override ? (this.peek(request) ?? uncached(undefined)) : this.scheduleOf(request);
  }

  /** The schedule of inputs. A promise where it must be read first. */
  scheduleOf({ key, schedule }: GateInputs): CachedSchedule | Promise<CachedSchedule> {
    if (!key || !this.#schedules) return uncached(schedule);
    return this.#schedules.get(key, this.settings.refreshMs);
  }

  /** The schedule of inputs, if it was read. */
  peek({ key, schedule }: GateInputs): CachedSchedule | undefined {
    return key ? this.#schedules?.peek(key) : uncached(schedule);
  }

  /**
   * The decision by a copy that is at hand.
   * @throws TenantError ERR_SCHEDULE, as `decide`
   */
  decision(request: GateInputs & { override?: Override }, cached: CachedSchedule, instant: number): Decision {
    const { exceptions, override, zone } = request;
    if (override)
      return {
        businessHour: this.#businessHour(override === "open", "override", cached, instant, request, NO_TIMES),
        zone,
      };
    const { schedule } = cached;
    if (schedule) {
      const verdict = this.#calendarOf(schedule, exceptions, zone)(instant);
      return {
        businessHour: this.#businessHour(verdict.open, verdict.reason, cached, instant, request, verdict),
        zone,
        schedule,
      };
    }
    const { onUnknown } = this.settings;
    const problem = cached.problem ?? notSent("ERR_SCHEDULE", "input", { retryable: true, key: "scheduleNotGiven" });
    if (onUnknown === "error") throw problem;
    const isOpen = onUnknown === "open";
    return { businessHour: this.#businessHour(isOpen, "unknown", cached, instant, request, NO_TIMES), zone, problem };
  }

  /** The calendar of the last schedule is kept, because most messages ask about the same one. */
  #calendarOf(schedule: Schedule, exceptions: Exceptions, zone: Zone): Calendar {
    const kept = this.#calendar;
    if (kept?.schedule === schedule && kept.exceptions === exceptions && kept.zone === zone) return kept.calendar;
    this.#calendar = { schedule, exceptions, zone, calendar: calendar(schedule, exceptions, zone) };
    return this.#calendar.calendar;
  }

  #businessHour(
    open: boolean,
    reason: BusinessHour["reason"],
    { schedule, stale }: CachedSchedule,
    instant: number,
    { zone, missing }: GateInputs,
    times: Pick<Verdict, keyof typeof NO_TIMES | "hasSpecialHours">,
  ): BusinessHour {
    const { closesAt, opensAt, opensIn, exception, hasSpecialHours } = times;
    const checkedAt = formatInstant(instant, zone);
    return {
      open,
      reason,
      name: schedule?.name ?? null,
      id: schedule?.id ?? null,
      timezone: zone.name,
      checkedAt,
      closesAt,
      opensAt,
      opensIn,
      stale,
      incomplete: missing !== undefined,
      exception,
      sentence: this.#speak({ open, closesAt, opensAt, exception, hasSpecialHours }, checkedAt),
    };
  }
}

function uncached(schedule: Schedule | undefined): CachedSchedule {
  return { schedule, stale: false, problem: undefined };
}
