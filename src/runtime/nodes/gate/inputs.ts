import { asConfigError } from "../../../client";
import {
  any,
  type Config,
  calendarAddress,
  custom,
  type Fields,
  type Host,
  id,
  reader,
  text,
  toLocalInstant,
  toSchedule,
  toZone,
  ValueError,
  type Values,
} from "../../../fields";
import { checkPair, isFixed } from "../../../fields/note";
import { onlyOnce } from "../../../fields/notice";
import { quote } from "../../../fields/quote";
import { type Exceptions, isEmpty, loadZone, NO_EXCEPTIONS, type Schedule, type Zone } from "../../../hours";
import { isGiven } from "../../../hours/untrusted";
import { IN_FLOW_FILE } from "../../schedules/calling-hours-settings";
import type { ScheduleKey } from "../../schedules/find-schedule";
import { memoizeByContent } from "../../schedules/memoize";
import { exceptionsInSlices } from "../../schedules/read-in-slices";
import { GATE_PAIRS, type GateSettings, originOf } from "./settings";

/** What a gate decides by, apart from the instant. */
export interface GateInputs {
  /** The tenant's schedule, where the gate uses one. */
  readonly key: ScheduleKey | undefined;
  /** The gate's own schedule. Equal schedules and exceptions are the same object. */
  readonly schedule: Schedule | undefined;
  readonly exceptions: Exceptions;
  /** Where exceptions were looked for in vain; `undefined` if they are known. */
  readonly missing: string | undefined;
  /** The same object for the same zone. */
  readonly zone: Zone;
}

/** What a user forces, whatever the schedule. */
export type Override = "open" | "closed" | undefined;

/** What a gate decides for one message. */
export interface GateRequest extends GateInputs {
  /** Epoch milliseconds; `undefined` means now. */
  readonly at: number | undefined;
  readonly override: Override;
}

/** Reads the inputs of a gate. */
export type InputReader = Awaited<ReturnType<typeof inputReader>>;

const KEY_FIELDS = { scheduleName: text(), scheduleId: id() };

/**
 * Prepares the typed inputs of a gate.
 * @param fallback the zone where the gate gives none
 * @throws TenantError ERR_CONFIG for bad exceptions or a bad zone in the dialog
 */
export async function inputReader(settings: GateSettings, host: Host, fallback: Zone) {
  const { fromTenant, pairs } = settings;
  const warn = onlyOnce((notice) => host.warn?.(notice));
  const readerOf = <F extends Fields>(fields: F) => reader(fields, pairs, host);
  const schedule = custom("list", memoizeByContent(toSchedule));
  const exceptions = custom("list", memoizeByContent(exceptionsInSlices));
  const timezone = custom("any", toZone);
  const inputs = readerOf({ ...KEY_FIELDS, schedule, exceptions, timezone });
  const options = readerOf({ at: any(), override: any() });
  const unreadable = inputs.problem ?? options.problem;
  if (unreadable) throw asConfigError(unreadable);
  const zoneNamed = memoizeByContent((name) => loadZone(String(name)));

  const isElsewhere = !IN_FLOW_FILE.includes(pairs["exceptionsType"]);

  function keyOf({ scheduleId, scheduleName }: Values<typeof KEY_FIELDS>): ScheduleKey {
    if (scheduleId !== undefined) return { id: scheduleId };
    if (scheduleName !== undefined) return { name: scheduleName };
    const field = isGiven(pairs["scheduleId"]) ? "scheduleId" : "scheduleName";
    throw new ValueError("input.missing", field, {}, inputs.looked(field));
  }

  async function readInputs(message: object): Promise<GateInputs> {
    const values = await refusingSettings(() => inputs.read(message));
    const { exceptions = NO_EXCEPTIONS } = values;
    return {
      key: fromTenant ? keyOf(values) : undefined,
      schedule: values.schedule,
      exceptions,
      missing: isElsewhere && isEmpty(exceptions) ? inputs.looked("exceptions") : undefined,
      zone: values.timezone === undefined ? fallback : await zoneNamed(values.timezone, "timezone"),
    };
  }

  const origin = originOf(pairs, "scheduleName", "scheduleId", "schedule", "exceptions", "timezone");
  const override = { value: pairs["override"], type: String(pairs["overrideType"]) };
  try {
    // These are reported at deploy, wherever the schedule comes from.
    if (originOf(pairs, "exceptions") === "dialog") await readerOf({ exceptions }).read({});
    if (originOf(pairs, "exceptions") === "address")
      calendarAddress(pairs["exceptions"], "exceptions", (name) => host.env(name));
    if (isFixed(override)) checkPair(GATE_PAIRS.override.field, override);
    if (originOf(pairs, "timezone") === "dialog") await readerOf({ timezone }).read({});
  } catch (error) {
    throw asConfigError(error);
  }
  // Other mistakes in the dialog are reported with each message.
  const fixed = origin === "dialog" ? await readInputs({}).catch(() => undefined) : undefined;
  const isFixedKey = fromTenant && originOf(pairs, "scheduleName", "scheduleId") === "dialog";
  const readKey = async () => keyOf(await readerOf(KEY_FIELDS).read({}));
  const fixedKey = isFixedKey ? await readKey().catch(() => undefined) : undefined;

  function optionsOf({ at, override }: { at: unknown; override: unknown }, zone: Zone) {
    const isOne = override === "open" || override === "closed";
    if (!isOne && isGiven(override))
      warn({ key: "unknownOverride", params: { field: "override", value: quote(override) }, reason: "override" });
    return {
      at: at === undefined ? undefined : options.build(() => toLocalInstant(at, "at", zone)),
      override: isOne ? override : undefined,
    } as const;
  }

  const standing = reader({ at: any(), override: any() }, withoutMessage(pairs, "at", "override"), host);
  return {
    /** What the inputs depend on. */
    origin,
    /** Whether the override, or the instant, is in a context store, which reports no changes. */
    isWatched: originOf(pairs, "override") === "context" || originOf(pairs, "at") === "context",
    /** Whether messages bring their override. */
    bringsOverride: originOf(pairs, "override") === "message",
    /** The tenant's schedule, where it is the same for every message. */
    fixedKey,
    /** Reads the inputs that no message brings: as they are now, since a context store may change. */
    readInputs: async () => fixed ?? readInputs({}),
    /** Reads the instant and the override, each only where no message brings it. */
    readOptions: async (zone: Zone) => optionsOf(await standing.read({}), zone),
    /** A promise unless all can be read at once. Throws, or rejects with, ValueError, or TenantError ERR_CONFIG for exceptions. */
    readRequest(message: object): GateRequest | Promise<GateRequest> {
      const given = options.read(message);
      if (fixed && !(given instanceof Promise)) return { ...fixed, ...optionsOf(given, fixed.zone) };
      return Promise.all([fixed ?? readInputs(message), given]).then(([read, options]) => {
        return { ...read, ...optionsOf(options, read.zone) };
      });
    },
  };
}

/** The pairs, without those of these properties that a message brings. */
function withoutMessage(pairs: Config, ...properties: readonly (keyof typeof GATE_PAIRS)[]): Config {
  const given = properties.filter((property) => originOf(pairs, property) === "message");
  return { ...pairs, ...Object.fromEntries(given.map((property) => [property, ""])) };
}

/** Exceptions and the zone belong to the gate's configuration, wherever they are stored. */
async function refusingSettings<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof ValueError && /^(exceptions|timezone)\b/.test(error.path) ? asConfigError(error) : error;
  }
}
