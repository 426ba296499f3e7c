import {
  any,
  custom,
  FieldError,
  type Fields,
  type Host,
  id,
  isGiven,
  reader,
  text,
  toExceptions,
  toLocalInstant,
  toSchedule,
  type Values,
} from "../../fields";
import type { Exceptions, Schedule, WallClock } from "../../hours";
import { notSent } from "../../tenant";
import { asTenantError } from "../node-red/texts";
import type { ScheduleKey } from "../schedules/find-schedule";
import { type GateSettings, type Origin, originOf } from "./settings";

/** What a gate decides by, apart from the instant. */
export interface GateInputs {
  /** The tenant's schedule, where the gate uses one. */
  readonly key: ScheduleKey | undefined;
  /** The gate's own schedule. Equal schedules and exceptions are the same object. */
  readonly schedule: Schedule | undefined;
  readonly exceptions: Exceptions;
}

/** What a gate decides for one message. */
export interface GateRequest extends GateInputs {
  /** Epoch milliseconds; `undefined` means now. */
  readonly at: number | undefined;
  readonly override: "open" | "closed" | undefined;
}

/** Reads the inputs of a gate. */
export interface InputReader {
  /** What the inputs depend on. */
  readonly origin: Origin;
  /** The tenant's schedule, where it is the same for every message. */
  readonly fixedKey: ScheduleKey | undefined;
  /** The request, where it is the same for every message. */
  readonly fixedRequest: GateRequest | undefined;
  /** Reads the inputs that no message brings: as they are now, since a context store may change. */
  readInputs(): Promise<GateInputs>;
  /** Rejects with FieldError, or with TenantError ERR_CONFIG for exceptions. */
  readRequest(message: object): Promise<GateRequest>;
}

const KEY_FIELDS = { scheduleName: text(), scheduleId: id() };

/**
 * Prepares the typed inputs of a gate.
 * @param clock the wall clock for instants without an offset
 * @throws TenantError ERR_CONFIG for bad exceptions in the dialog
 */
export async function inputReader(settings: GateSettings, host: Host, clock: WallClock): Promise<InputReader> {
  const { fromTenant, pairs } = settings;
  const readerOf = <F extends Fields>(fields: F) => reader(fields, pairs, host);
  const schedule = custom("list", remembering(toSchedule));
  const exceptions = custom("list", remembering(toExceptions));
  const at = custom("any", (value, field) => toLocalInstant(value, field, clock));
  const inputs = readerOf({ ...KEY_FIELDS, schedule, exceptions });
  const options = readerOf({ at, override: any() });

  function keyOf({ scheduleId, scheduleName }: Values<typeof KEY_FIELDS>): ScheduleKey {
    if (scheduleId !== undefined) return { id: scheduleId };
    if (scheduleName !== undefined) return { name: scheduleName };
    const field = isGiven(pairs["scheduleId"]) ? "scheduleId" : "scheduleName";
    throw new FieldError("missing", field, {}, inputs.looked(field));
  }

  async function readInputs(message: object): Promise<GateInputs> {
    const values = await inputs.read(message).catch(refuseExceptions);
    return {
      key: fromTenant ? keyOf(values) : undefined,
      schedule: values.schedule,
      exceptions: values.exceptions ?? NO_EXCEPTIONS,
    };
  }

  const origin = originOf(pairs, "scheduleName", "scheduleId", "schedule", "exceptions");
  // Bad exceptions in the dialog are reported at deploy, wherever the schedule comes from.
  if (originOf(pairs, "exceptions") === "dialog") await readerOf({ exceptions }).read({}).catch(refuseExceptions);
  // Other mistakes in the dialog are reported with each message.
  const fixed = origin === "dialog" ? await readInputs({}).catch(() => undefined) : undefined;
  const isFixedKey = fromTenant && originOf(pairs, "scheduleName", "scheduleId") === "dialog";
  const readKey = async () => keyOf(await readerOf(KEY_FIELDS).read({}));
  const fixedKey = isFixedKey ? await readKey().catch(() => undefined) : undefined;

  async function readRequest(message: object): Promise<GateRequest> {
    const [read, { at, override }] = await Promise.all([fixed ?? readInputs(message), options.read(message)]);
    return { ...read, at, override: override === "open" || override === "closed" ? override : undefined };
  }

  const isFixed = fixed && !isGiven(pairs["at"]) && originOf(pairs, "override") === "dialog";
  const fixedRequest = isFixed ? await readRequest({}).catch(() => undefined) : undefined;
  return { origin, fixedKey, fixedRequest, readInputs: async () => fixed ?? readInputs({}), readRequest };
}

const NO_EXCEPTIONS = toExceptions(undefined, "exceptions");

/** Exceptions belong to the gate's configuration, wherever they are stored. */
function refuseExceptions(error: unknown): never {
  if (!(error instanceof FieldError) || !error.field.startsWith("exceptions")) throw error;
  const { key, params, details } = asTenantError(error);
  throw notSent("ERR_CONFIG", "config", { key, params, ...details });
}

const MAX_REMEMBERED = 100;

/** Keeps the last results by content, so that what comes with every message is read once. */
function remembering<T>(read: (value: unknown, field: string) => T): (value: unknown, field: string) => T {
  const results = new Map<string, T>();
  return (value, field) => {
    const content = contentOf(value);
    const known = content === undefined ? undefined : results.get(content);
    if (known !== undefined) return known;
    const result = read(value, field);
    if (results.size >= MAX_REMEMBERED) results.clear();
    if (content !== undefined) results.set(content, result);
    return result;
  };
}

function contentOf(value: unknown): string | undefined {
  try {
    return typeof value === "string" ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
