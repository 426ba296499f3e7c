import { asConfigError } from "../../client";
import {
  type Config,
  calendarAddress,
  custom,
  type Host,
  id,
  isGiven,
  MESSAGE_TYPES,
  reader,
  text,
  toSchedule,
  toZone,
  ValueError,
  type Values,
} from "../../fields";
import { type Exceptions, isEmpty, loadZone, NO_EXCEPTIONS, type Schedule, type Zone } from "../../hours";
import { IN_FLOW_FILE } from "./calling-hours-settings";
import type { ScheduleKey } from "./find-schedule";
import { memoizeByContent } from "./memoize";
import { exceptionsInSlices } from "./read-in-slices";
import type { ScheduleCache } from "./schedule-cache";

export interface HoursSource {
  /** Typed inputs. */
  readonly pairs: Config;
  readonly exceptionsField: "exceptions" | "callingExceptions";
  /** The name of the zone where the inputs give none. */
  readonly zone: string;
  /** Whether the inputs choose a schedule of the tenant. */
  readonly fromTenant: boolean;
  readonly schedules: Pick<ScheduleCache, "follow" | "peek" | "get"> | undefined;
  readonly refreshMs: number;
  /** Whether exceptions that are missing are a problem. Otherwise the week holds without them. */
  readonly failsClosed?: boolean;
}

/** The values from which hours are computed. */
export interface Inputs {
  /** The tenant's schedule, where one is used. */
  readonly key: ScheduleKey | undefined;
  /** The schedule itself, where it is not the tenant's. Equal schedules and exceptions are the same object. */
  readonly schedule: Schedule | undefined;
  readonly exceptions: Exceptions;
  /** The source in which exceptions were looked for in vain; `undefined` if they are known. */
  readonly missing: string | undefined;
  /** The same object for the same zone. */
  readonly zone: Zone;
}

export type InputReader = Awaited<ReturnType<typeof inputReader>>;

const KEY_FIELDS = { scheduleName: text(), scheduleId: id() };

/**
 * Prepares the typed inputs of hours.
 * @param fallback the zone where they give none
 * @throws TenantError ERR_CONFIG for bad exceptions or a bad zone in the dialog
 */
export async function inputReader(source: HoursSource, host: Host, fallback: Zone) {
  const { fromTenant, pairs } = source;
  // One of two names; both have this type.
  const exceptionsField = source.exceptionsField as "exceptions";
  const schedule = custom("list", memoizeByContent(toSchedule));
  const exceptions = { [exceptionsField]: custom("list", memoizeByContent(exceptionsInSlices)) };
  const zone = { timezone: custom("any", toZone) };
  const inputs = reader({ ...KEY_FIELDS, schedule, ...exceptions, ...zone }, pairs, host);
  if (inputs.problem) throw asConfigError(inputs.problem);
  const zoneNamed = memoizeByContent((name) => loadZone(String(name)));
  const isElsewhere = !IN_FLOW_FILE.includes(pairs[`${exceptionsField}Type`]);

  function keyOf({ scheduleId, scheduleName }: Values<typeof KEY_FIELDS>): ScheduleKey {
    if (scheduleId !== undefined) return { id: scheduleId };
    if (scheduleName !== undefined) return { name: scheduleName };
    const field = isGiven(pairs["scheduleId"]) ? "scheduleId" : "scheduleName";
    throw new ValueError("input.missing", field, {}, inputs.looked(field));
  }

  async function readInputs(message: object): Promise<Inputs> {
    const values = await refusingSettings(async () => inputs.read(message));
    const { schedule, timezone, [exceptionsField]: exceptions = NO_EXCEPTIONS } = values;
    return {
      key: fromTenant ? keyOf(values) : undefined,
      schedule,
      exceptions,
      missing: isElsewhere && isEmpty(exceptions) ? inputs.looked(exceptionsField) : undefined,
      zone: timezone === undefined ? fallback : await zoneNamed(timezone, "timezone"),
    };
  }

  // These are reported at deploy, wherever the schedule comes from.
  await refusingSettings(async () => {
    const origin = originOf(pairs, exceptionsField);
    if (origin === "dialog") await reader(exceptions, pairs, host).read({});
    if (origin === "address") calendarAddress(pairs[exceptionsField], exceptionsField, (name) => host.env(name));
    if (originOf(pairs, "timezone") === "dialog") await reader(zone, pairs, host).read({});
  });
  const origin = originOf(pairs, "scheduleName", "scheduleId", "schedule", exceptionsField, "timezone");
  // Other mistakes in the dialog are reported with each message.
  const fixed = origin === "dialog" ? await readInputs({}).catch(() => undefined) : undefined;
  const isFixedKey = fromTenant && originOf(pairs, "scheduleName", "scheduleId") === "dialog";
  const readKey = async () => keyOf(await reader(KEY_FIELDS, pairs, host).read({}));
  return {
    origin,
    /** The tenant's schedule, where it is the same for every message. */
    fixedKey: isFixedKey ? await readKey().catch(() => undefined) : undefined,
    /**
     * Reads the inputs of a message, or those that no message brings: as they are now, since a context store may change. A
     * promise unless they are always the same. Rejects with ValueError, or with TenantError ERR_CONFIG for exceptions and the zone.
     */
    read: (message: object = {}): Inputs | Promise<Inputs> => fixed ?? readInputs(message),
  };
}

/**
 * Returns the origin of typed inputs' values: from the message if one of them does, else a context store, else an address, else the
 * dialog, the same for every message.
 */
export function originOf(pairs: Config, ...properties: readonly string[]) {
  const given = properties.filter((property) => isGiven(pairs[property]));
  const comesFrom = (...types: unknown[]) => given.some((property) => types.includes(pairs[`${property}Type`]));
  if (comesFrom(...MESSAGE_TYPES)) return "message";
  if (comesFrom("flow", "global")) return "context";
  return comesFrom("url") ? "address" : "dialog";
}

/** Blames the node's configuration, to which exceptions and the zone belong wherever they are stored. */
function refusingSettings<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error: unknown) => {
    throw /^(?:e|callingE)xceptions\b|^timezone\b/.test(Object(error).path) ? asConfigError(error) : error;
  });
}
