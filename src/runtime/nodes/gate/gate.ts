import { notSent, type TenantError } from "../../../client";
import type { Config, Host } from "../../../fields";
import { calendar, hostZone, loadZone, NO_TIMES, type Schedule, type Verdict, type Zone } from "../../../hours";
import { formatInstant } from "../../../hours/instant";
import { memoizeLast } from "../../../hours/memoize";
import { resolvedInSlices } from "../../schedules/read-in-slices";
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
  /** Holidays are configured, and none are known, so that the gate goes by the week, or some cannot be read. */
  readonly incomplete: boolean;
  /** The name of the exception that holds. */
  readonly exception: string | null;
  /** The result in one or two sentences, to be spoken to a caller. */
  readonly sentence: string;
}

/** Until when a person has closed the gate, or opened it. */
export interface ByHand {
  readonly until: number | undefined;
  readonly state?: "open" | "closed";
}

/** The decision for one message. */
export interface Decision {
  readonly businessHour: BusinessHour;
  readonly zone: Zone;
  readonly schedule?: Schedule | undefined;
  readonly inputs?: GateInputs;
  /** Until when it holds, epoch milliseconds; `null` without an end. */
  readonly validUntil: number | null;
  /** Why there is no schedule, where the gate decides without one. */
  readonly problem?: TenantError;
}

/** A decision as far as a status shows it. */
export interface ShownDecision extends Omit<Decision, "businessHour"> {
  readonly businessHour: Pick<BusinessHour, "open" | "reason" | "closesAt" | "opensAt" | "stale" | "incomplete">;
}

/** The override that a decision follows. */
export function overrideOf({ businessHour: { reason, open } }: ShownDecision): Override {
  if (reason !== "override") return undefined;
  return open ? "open" : "closed";
}

/**
 * The decision of an override, for a status.
 * @param until when the gate changes, ISO 8601; `null` if that is not known
 */
function forced(override: "open" | "closed", zone: Zone, until: string | null, validUntil: number | null) {
  const times = { closesAt: until, opensAt: until, stale: false, incomplete: false };
  return { businessHour: { open: override === "open", reason: "override", ...times }, zone, validUntil } as const;
}

/** Why a copy has no schedule. */
export function problemOf({ problem }: CachedSchedule): TenantError {
  return problem ?? notSent("ERR_SCHEDULE", "input", { retryable: true, key: "scheduleNotGiven" });
}

/** Decides whether a request finds the gate open. */
export class Gate {
  readonly #calendarOf = memoizeLast(calendar);

  private constructor(
    readonly settings: GateSettings,
    readonly inputs: InputReader,
    /** Where inputs give none. */
    private readonly zone: Zone,
    /** The zone of the server, where neither the gate nor its tenant gives one. */
    readonly serverZone: Zone | undefined,
    private readonly schedules: ScheduleCache | undefined,
    private readonly speak: Speaker,
    private readonly byHand: ByHand,
  ) {}

  /**
   * Checks the configuration and loads the zone. Rejects with TenantError ERR_CONFIG.
   * @param language of the server
   */
  static async open(
    config: Config,
    chosen: Tenant,
    host: Host,
    language: string,
    byHand: ByHand = { until: undefined },
  ): Promise<Gate> {
    const settings = gateSettings(config);
    const tenant = settings.usesTenant ? usable(chosen) : chosen;
    const ofTenant = tenant.settings?.timezone;
    const zone = await loadZone(ofTenant || hostZone());
    const inputs = await inputReader(settings, host, zone);
    const speak = speaker(settings.language, language);
    return new Gate(settings, inputs, zone, ofTenant ? undefined : zone, tenant.schedules, speak, byHand);
  }

  /** At once where nothing has to be read. Throws, or rejects with, TenantError ERR_SCHEDULE where there is no schedule and one is needed. */
  decide(read: GateRequest): Decision | Promise<Decision> {
    const request = this.#asByHand(read);
    const instant = request.at ?? Date.now();
    // An override needs no schedule, so it waits for none.
    const cached = request.override ? (this.peek(request) ?? uncached(undefined)) : this.scheduleOf(request);
    const resolving = request.override ? undefined : resolvedInSlices(request.exceptions, request.zone, instant);
    if (!(cached instanceof Promise || resolving instanceof Promise)) return this.decision(request, cached, instant);
    return Promise.all([cached, resolving]).then(([copy]) => this.decision(request, copy, instant));
  }

  /**
   * What a message would meet now from what is already known, for the status: a decision, why there is none, or nothing.
   * @param inputs `undefined` where messages bring them and none has come
   */
  async current(inputs: GateInputs | undefined): Promise<ShownDecision | TenantError | undefined> {
    const { until, state = "closed" } = this.byHand;
    const { zone } = inputs ?? { zone: this.zone };
    if (until !== undefined) return forced(state, zone, await this.#changesAt(until, state, inputs, zone), until);
    const { at, override } = await this.inputs.readOptions(zone);
    if (override) return forced(override, zone, null, null);
    const cached = inputs && this.peek(inputs);
    if (!inputs || !cached?.schedule) return cached && problemOf(cached);
    const instant = at ?? Date.now();
    await resolvedInSlices(inputs.exceptions, inputs.zone, instant);
    const decision = this.decision(inputs, cached, instant);
    // A fixed instant does not pass.
    return at === undefined ? decision : { ...decision, validUntil: null };
  }

  /** When a gate that a person has closed opens, or the reverse: not at the end of that, where it would be so then anyway. */
  async #changesAt(end: number, state: string, inputs: GateInputs | undefined, zone: Zone): Promise<string | null> {
    const { override } = await this.inputs.readOptions(zone);
    if (override === state) return null;
    const schedule = inputs && !override ? this.peek(inputs)?.schedule : undefined;
    if (!schedule || !inputs) return formatInstant(end, zone);
    await resolvedInSlices(inputs.exceptions, zone, end);
    const verdict = this.#calendarOf(schedule, inputs.exceptions, zone)(end);
    if (verdict.open !== (state === "open")) return formatInstant(end, zone);
    return verdict.open ? verdict.closesAt : verdict.opensAt;
  }

  /** The button is an override of all messages but those that bring their own. */
  #asByHand(request: GateRequest): GateRequest {
    if (this.byHand.until === undefined || (request.override !== undefined && this.inputs.bringsOverride))
      return request;
    return { ...request, override: this.byHand.state ?? "closed" };
  }

  /** The schedule of inputs. A promise where it must be read first. */
  scheduleOf({ key, schedule }: GateInputs): CachedSchedule | Promise<CachedSchedule> {
    if (!key || !this.schedules) return uncached(schedule);
    return this.schedules.get(key, this.settings.refreshMs);
  }

  /** The schedule of inputs, if it was read. */
  peek({ key, schedule }: GateInputs): CachedSchedule | undefined {
    return key ? this.schedules?.peek(key) : uncached(schedule);
  }

  /**
   * The decision by a copy that is at hand.
   * @throws TenantError ERR_SCHEDULE, as `decide`
   */
  decision(request: GateInputs & { override?: Override }, cached: CachedSchedule, instant: number): Decision {
    const { override, exceptions, zone, missing } = request;
    const { schedule, stale } = cached;
    const { onUnknown } = this.settings;
    const problem = override || schedule ? undefined : problemOf(cached);
    if (problem && onUnknown === "error") throw problem;
    const verdict: Omit<Verdict, "reason"> & Pick<BusinessHour, "reason"> = override
      ? { ...NO_TIMES, open: override === "open", reason: "override" }
      : schedule
        ? this.#calendarOf(schedule, exceptions, zone)(instant)
        : { ...NO_TIMES, open: onUnknown === "open", reason: "unknown" };
    const { open, reason, closesAt, opensAt, opensIn, exception, hasSpecialHours, validUntil } = verdict;
    const checkedAt = formatInstant(instant, zone);
    const businessHour: BusinessHour = {
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
      incomplete: missing !== undefined || exceptions.icalendar?.leftOut.first !== undefined,
      exception,
      sentence: this.speak({ open, closesAt, opensAt, exception, hasSpecialHours }, checkedAt),
    };
    return { businessHour, zone, schedule, inputs: request, validUntil, ...(problem && { problem }) };
  }
}

function uncached(schedule: Schedule | undefined): CachedSchedule {
  return { schedule, stale: false, problem: undefined };
}
