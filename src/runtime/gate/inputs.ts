import {
  any,
  type Config,
  type ConfigKey,
  FieldError,
  fromHours,
  type Host,
  id,
  isGiven,
  reader,
  source,
  text,
} from "../../fields";
import {
  type Exceptions,
  isZone,
  readExceptions,
  readInstant,
  readSchedule,
  type Schedule,
  type Zone,
} from "../../hours";
import { notSent } from "../../tenant";
import { asTenantError } from "../node-red/texts";
import type { ScheduleKey } from "../schedules/find-schedule";
import { readWith } from "./memo";
import { originOf, pairsOf } from "./pairs";

const KEY_FIELDS = { scheduleName: text(), scheduleId: id() };
const MANNER_FIELDS = { at: any(), override: any() };
const NO_EXCEPTIONS = readExceptions(undefined);

/** What a gate judges by: often known before a message comes. Remembered by content, so that what is alike is the same. */
export interface GateInputs {
  readonly key: ScheduleKey | undefined;
  readonly schedule: Schedule | undefined;
  readonly exceptions: Exceptions;
}

/** What a gate is asked for one message. */
export interface GateRequest extends GateInputs {
  /** As the flow gave it; read in the gate's zone. */
  readonly at: unknown;
  readonly override: "open" | "closed" | undefined;
}

export interface GateSources {
  /** Where a tenant is chosen, its zone may be wanted though its hours are not. */
  readonly usesTenant: boolean;
  readonly refreshMs: number;
  /** Empty: the tenant's, then the host's. */
  readonly timezone: string;
  readonly onUnknown: "error" | "open" | "closed";
  /** The schedule that the dialog names, where it is the same for every message. */
  readonly fixedKey: ScheduleKey | undefined;
  /** What every message is judged by, where all of that stands in the dialog. */
  readonly fixed: GateInputs | undefined;
  /** What a message would be judged by now, where none of that comes with messages; what a context store holds may change. */
  readonly standing: (() => GateInputs | Promise<GateInputs>) | undefined;
  ask(message: object): GateRequest | Promise<GateRequest>;
  /** The instant to judge, from what a question says of it: now, when that is nothing. Throws FieldError. */
  instant(at: unknown, zone: Zone): number;
}

/** Prepares what a gate's dialog says. Throws TenantError ERR_CONFIG. */
export function gateSources(config: Config, host: Host): GateSources {
  const fromTenant = oneOf(config, "source", ["tenant", "value"]) === "tenant";
  const pairs = pairsOf(config, fromTenant);
  if (fromTenant && !isGiven(pairs["scheduleName"]) && !isGiven(pairs["scheduleId"]))
    throw bad("scheduleMissing", "scheduleName");
  const timezone = String(config["timezone"] ?? "").trim();
  const zoneKnown: boolean = timezone === "" || isZone(timezone);
  if (!zoneKnown) throw bad("zoneUnknown", "timezone", { zone: timezone.slice(0, 60) });

  const schedule = readWith((value) => readSchedule(Array.isArray(value) ? { days: value } : value));
  const exceptions = readWith(readExceptions);
  const origins = ["scheduleName", "scheduleId", "schedule", "exceptions"].map((name) => originOf(pairs, name));
  const [byName, byId, , excepted] = origins;
  // Bad exceptions in the dialog are known at deploy, whatever the messages will bring.
  if (excepted === "dialog") void throwingConfig(() => reader({ exceptions }, pairs, host)({}));

  const readMatter = reader({ ...KEY_FIELDS, schedule, exceptions }, pairs, host);
  const readManner = reader(MANNER_FIELDS, pairs, host);
  const placeOf = (name: string) =>
    source({ value: pairs[name], type: String(pairs[`${name}Type`]) }, name, host).label;
  const atSource = placeOf("at");
  const keyOf = (given: { scheduleId: string | undefined; scheduleName: string | undefined }): ScheduleKey => {
    if (given.scheduleId !== undefined) return { id: given.scheduleId };
    if (given.scheduleName !== undefined) return { name: given.scheduleName };
    const field = isGiven(pairs["scheduleId"]) ? "scheduleId" : "scheduleName";
    throw new FieldError("missing", field, {}, placeOf(field));
  };
  const matterOf = (message: object) =>
    andThen(
      throwingConfig(() => readMatter(message)),
      (values): GateInputs => ({
        key: fromTenant ? keyOf(values) : undefined,
        schedule: values.schedule,
        exceptions: values.exceptions ?? NO_EXCEPTIONS,
      }),
    );
  const fixed = origins.every((origin) => origin === "dialog") ? settled(() => matterOf({})) : undefined;
  const hasFixedKey = fromTenant && byName === "dialog" && byId === "dialog";
  return {
    usesTenant: fromTenant || (timezone === "" && isGiven(config["tenant"])),
    refreshMs: refresh(config) * 1000,
    timezone,
    onUnknown: oneOf(config, "onUnknown", ["error", "open", "closed"]),
    fixedKey: hasFixedKey ? settled(() => andThen(reader(KEY_FIELDS, pairs, host)({}), keyOf)) : undefined,
    fixed,
    standing: origins.includes("message") ? undefined : () => fixed ?? matterOf({}),
    ask: (message) =>
      andThen(fixed ?? matterOf(message), (matter) =>
        andThen(readManner(message), ({ at, override }) => ({
          ...matter,
          at,
          override: override === "open" || override === "closed" ? override : undefined,
        })),
      ),
    instant(at, zone) {
      if (!isGiven(at)) return Date.now();
      try {
        return fromHours("at", () => readInstant(at, zone));
      } catch (error) {
        if (error instanceof FieldError) error.source = atSource;
        throw error;
      }
    },
  };
}

/** Exceptions are part of the gate's configuration, wherever they are kept. */
function throwingConfig<T>(read: () => T | Promise<T>): T | Promise<T> {
  const refuse = (error: unknown): never => {
    if (!(error instanceof FieldError) || !error.field.startsWith("exceptions")) throw error;
    const { key, params, details } = asTenantError(error);
    throw notSent("ERR_CONFIG", "config", { key, params, ...details });
  };
  try {
    const result = read();
    return result instanceof Promise ? result.catch(refuse) : result;
  } catch (error) {
    return refuse(error);
  }
}

/** A promise only where there is one already: most messages need none. */
function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What is known without waiting and without fault; a fault is told to the messages that meet it. */
function settled<T>(read: () => T | Promise<T>): T | undefined {
  try {
    const result = read();
    return result instanceof Promise ? undefined : result;
  } catch {
    return undefined;
  }
}

function oneOf<const T extends string>(config: Config, property: string, choices: readonly [T, ...T[]]): T {
  const value = config[property];
  const known = isGiven(value) ? choices.find((choice) => choice === value) : choices[0];
  if (known === undefined) throw bad("notChoice", property, { choices: choices.join(", ") });
  return known;
}

function refresh(config: Config): number {
  const seconds = isGiven(config["refresh"]) ? Number(config["refresh"]) : 300;
  if (seconds >= 5 && seconds <= 86_400) return seconds;
  throw bad("range", "refresh", { from: 5, to: 86_400 });
}

function bad(key: ConfigKey, field: string, params: Readonly<Record<string, string | number>> = {}) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, field, params: { field, ...params } });
}
