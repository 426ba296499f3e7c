import {
  anything,
  type Config,
  FieldError,
  fromHours,
  type Host,
  id,
  isGiven,
  listOr,
  pairOf,
  reader,
  text,
} from "../fields";
import { type Exceptions, isZone, readExceptions, readSchedule, type Schedule } from "../hours";
import { notSent } from "../tenant";
import type { ScheduleKey } from "./schedule-book";
import { asTenantError } from "./texts";

const FIELDS = {
  scheduleName: text(),
  scheduleId: id(),
  schedule: listOr(),
  at: anything(),
  exceptions: listOr(),
  override: anything(),
};

/** What is sent for a pair that a flow file does not have: a gate maps nothing of the payload by itself. */
const STANDARD: Config = {
  scheduleName: "",
  scheduleId: "",
  schedule: [],
  scheduleType: "list",
  at: "",
  exceptions: [],
  exceptionsType: "list",
  override: "",
};

/** What a gate is told for one message; schedule and exceptions are remembered by content. */
export interface Question {
  readonly key: ScheduleKey | undefined;
  readonly schedule: Schedule | undefined;
  readonly exceptions: Exceptions;
  /** As the flow gave it; read in the gate's zone. */
  readonly at: unknown;
  readonly override: "open" | "closed" | undefined;
}

export interface GateSources {
  readonly fromTenant: boolean;
  readonly refreshMs: number;
  /** Empty: the tenant's, then the host's. */
  readonly timezone: string;
  readonly onUnknown: "error" | "open" | "closed";
  /** The schedule that the dialog names, where it is the same for every message. */
  readonly fixedKey: ScheduleKey | undefined;
  /** The question without a message, where nothing of it depends on one. */
  readonly fixed: Question | undefined;
  ask(message: object): Question | Promise<Question>;
}

/** Prepares what a gate's dialog says. Throws TenantError ERR_CONFIG. */
export function gateSources(config: Config, host: Host): GateSources {
  const fromTenant = oneOf(config, "source", ["tenant", "value"]) === "tenant";
  const pairs: Record<string, unknown> = {};
  for (const name of Object.keys(FIELDS)) {
    const pair = pairOf(config, name) ?? { value: STANDARD[name], type: STANDARD[`${name}Type`] ?? "str" };
    pairs[name] = pair.value;
    pairs[`${name}Type`] = pair.type;
  }
  const isFixed = (name: string) =>
    ["str", "num", "json", "env", "list"].includes(String(pairs[`${name}Type`])) || pairs[name] === "";
  if (fromTenant && !isGiven(pairs["scheduleName"]) && !isGiven(pairs["scheduleId"]))
    throw bad("scheduleMissing", "scheduleName");
  const timezone = String(config["timezone"] ?? "").trim();
  const zoneKnown: boolean = timezone === "" || isZone(timezone);
  if (!zoneKnown) throw bad("zoneUnknown", "timezone", { zone: timezone.slice(0, 60) });

  const schedules = remembered((value) =>
    fromHours("schedule", () => readSchedule(Array.isArray(value) ? { days: value } : value)),
  );
  const exceptions = remembered((value) => fromHours("exceptions", () => readExceptions(value)));
  const read = reader(FIELDS, pairs, host);
  const question = (
    values: ReturnType<typeof read> extends infer R ? Exclude<R, Promise<unknown>> : never,
  ): Question => {
    const key = fromTenant ? keyOf(values.scheduleId, values.scheduleName) : undefined;
    if (fromTenant && !key)
      throw new FieldError("missing", isGiven(pairs["scheduleId"]) ? "scheduleId" : "scheduleName");
    return {
      key,
      schedule: fromTenant ? undefined : schedules(values.schedule ?? []),
      exceptions: asConfig(() => exceptions(values.exceptions)),
      at: values.at,
      override: values.override === "open" || values.override === "closed" ? values.override : undefined,
    };
  };
  const fixedNames = ["exceptions", ...(fromTenant ? ["scheduleName", "scheduleId"] : ["schedule"])];
  // A bad exception in the dialog is known at deploy, whatever the messages will bring.
  if (isFixed("exceptions"))
    asConfig(() => exceptions(pairs["exceptionsType"] === "list" ? pairs["exceptions"] : undefined));
  const fixed = fixedNames.every(isFixed) ? quietly(() => read({})) : undefined;
  const settled =
    fixed && !(fixed instanceof Promise)
      ? quietly(() => question({ ...fixed, at: undefined, override: undefined }))
      : undefined;
  return {
    fromTenant,
    refreshMs: refresh(config) * 1000,
    timezone,
    onUnknown: oneOf(config, "onUnknown", ["error", "open", "closed"]),
    fixedKey: settled?.key,
    fixed: settled,
    ask: (message) => {
      const values = read(message);
      return values instanceof Promise ? values.then(question) : question(values);
    },
  };
}

function keyOf(byId: string | undefined, byName: string | undefined): ScheduleKey | undefined {
  if (byId !== undefined) return { id: byId };
  return byName === undefined ? undefined : { name: byName };
}

/** The last readings by content: what comes with every message is read once. */
function remembered<T>(read: (value: unknown) => T): (value: unknown) => T {
  const most = 100;
  const known = new Map<string, T>();
  return (value) => {
    let content: string | undefined;
    try {
      content = typeof value === "string" ? value : JSON.stringify(value);
    } catch {
      content = undefined;
    }
    if (content === undefined) return read(value);
    const before = known.get(content);
    if (before !== undefined) return before;
    const result = read(value);
    if (known.size >= most) known.clear();
    known.set(content, result);
    return result;
  };
}

/** Exceptions are part of the gate's configuration, wherever they are kept. */
function asConfig<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const { key, params, details } = asTenantError(error);
    throw notSent("ERR_CONFIG", "config", { key, params, ...details });
  }
}

function quietly<T>(read: () => T): T | undefined {
  try {
    return read();
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

function bad(key: string, field: string, params: Readonly<Record<string, string | number>> = {}) {
  return notSent("ERR_CONFIG", "config", { key: `config.${key}`, field, params: { field, ...params } });
}
