import type { TenantError } from "../../../client";
import type { Config, Host } from "../../../fields";
import { formatInstant, hostZone, instantFormatter, NO_TIMES, type Verdict, type Zone } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { type Basis, Hours } from "../../schedules/hours";
import type { Inputs } from "../../schedules/inputs";
import { resolvedInSlices } from "../../schedules/read-in-slices";
import { type Tenant, usable } from "../../tenants/chosen-tenant";
import { type OptionReader, type Options, type Override, optionReader } from "./options";
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
  /** Whether holidays are configured, and none are known, so that the week decides, or some cannot be read. */
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

/** The decision for one message, and what it follows from. */
export interface Decision extends Basis {
  readonly businessHour: BusinessHour;
  /** Until when it holds, epoch milliseconds; `null` without an end. */
  readonly validUntil: number | null;
}

export interface ShownDecision
  extends Pick<Decision, "zone" | "validUntil">,
    Partial<Pick<Basis, "schedule" | "exceptions">> {
  readonly businessHour: Pick<BusinessHour, "open" | "reason" | "closesAt" | "opensAt" | "stale" | "incomplete">;
}

/** The inputs of a gate's decision for one message. */
type GateRequest = Inputs & Options;

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

/** Decides whether a request finds the gate open. */
export class Gate {
  readonly #formatterIn = memoizeLast(instantFormatter);

  private constructor(
    readonly settings: GateSettings,
    readonly hours: Hours,
    readonly options: OptionReader,
    /** The zone of the server, where neither the gate nor its tenant gives one. */
    readonly serverZone: Zone | undefined,
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
    const { schedules, settings: ofTenant } = settings.usesTenant ? usable(chosen) : chosen;
    const zone = ofTenant?.timezone || hostZone();
    const hours = await Hours.open({ ...settings, exceptionsField: "exceptions", schedules, zone }, host);
    const options = optionReader(settings.pairs, host);
    const serverZone = ofTenant?.timezone ? undefined : hours.zone;
    return new Gate(settings, hours, options, serverZone, speaker(settings.language, language), byHand);
  }

  /** A promise unless all can be read at once. Throws, or rejects with, ValueError, or TenantError ERR_CONFIG for exceptions. */
  read(message: object): GateRequest | Promise<GateRequest> {
    const given = this.options.read(message);
    const inputs = this.hours.inputs.read(message);
    if (!(inputs instanceof Promise || given instanceof Promise))
      return { ...inputs, ...this.options.checked(given, inputs.zone) };
    return Promise.all([inputs, given]).then(([read, options]) => {
      return { ...read, ...this.options.checked(options, read.zone) };
    });
  }

  /** Decides, at once if nothing has to be read. Throws, or rejects with, TenantError ERR_SCHEDULE if a schedule is needed and missing. */
  decide(request: GateRequest): Decision | Promise<Decision> {
    // The button is an override of all messages but those that bring their own.
    const isByHand = this.byHand.until !== undefined && !(request.override && this.options.bringsOverride);
    const override = isByHand ? (this.byHand.state ?? "closed") : request.override;
    const instant = request.at ?? Date.now();
    // An override needs no schedule, so it waits for none.
    const basis = override ? this.hours.peek(request) : this.hours.basis(request, instant);
    if (basis instanceof Promise) return basis.then((read) => this.decision(read, instant));
    return this.decision(basis, instant, override);
  }

  /**
   * Returns what a message would meet now from what is already known, for the status: a decision, why there is none, or nothing.
   * @param now `undefined` where messages bring the inputs and none has come
   */
  async current(now: Basis | undefined): Promise<ShownDecision | TenantError | undefined> {
    const { until, state = "closed" } = this.byHand;
    const { zone } = now ?? this.hours;
    const { at, override } = this.options.checked(await this.options.standing({}), zone);
    const instant = until ?? at ?? Date.now();
    if (now?.schedule) await resolvedInSlices(now, instant);
    if (until !== undefined) {
      const after = override ? forced(override, zone, null, null).businessHour : this.hours.at(until, now);
      // Not at the end of that, where it would be so then anyway.
      const isSame = after?.open === (state === "open");
      const change = isSame ? after[after.open ? "closesAt" : "opensAt"] : formatInstant(until, zone);
      return forced(state, zone, change, until);
    }
    if (override) return forced(override, zone, null, null);
    if (!now?.schedule) return now?.problem;
    const decision = this.decision(now, instant);
    // A fixed instant does not pass.
    return at === undefined ? decision : { ...decision, validUntil: null };
  }

  /** @throws TenantError ERR_SCHEDULE, as `decide` */
  decision(basis: Basis, instant: number, override?: Override): Decision {
    const { schedule, problem, exceptions, zone, missing } = basis;
    const { onUnknown } = this.settings;
    const verdict: Omit<Verdict, "reason"> & Pick<BusinessHour, "reason"> = override
      ? { ...NO_TIMES, open: override === "open", reason: "override" }
      : (this.hours.at(instant, basis) ?? { ...NO_TIMES, open: onUnknown === "open", reason: "unknown" });
    if (verdict.reason === "unknown" && onUnknown === "error") throw problem;
    const { open, reason, closesAt, opensAt, opensIn, exception, hasSpecialHours, validUntil } = verdict;
    const checkedAt = this.#formatterIn(zone)(instant);
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
      stale: schedule !== undefined && problem !== undefined,
      incomplete: missing !== undefined || exceptions.icalendar?.leftOut.first !== undefined,
      exception,
      sentence: this.speak({ open, closesAt, opensAt, exception, hasSpecialHours }, checkedAt),
    };
    return { ...basis, businessHour, validUntil };
  }
}
