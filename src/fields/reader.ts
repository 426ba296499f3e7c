import { isGiven } from "../hours/untrusted";
import { ValueError } from "../hours/value-error";
import { attempt, isObject } from "../json/rules";
import type { Field, Fields, Values } from "./field";
import { checkValue, isListKind, KINDS } from "./kinds";
import { toDialable } from "./kinds/phone-number";
import { type Notice, onlyOnce } from "./notice";
import { followOwn } from "./sources/path";
import { type Config, type Pair, pairOf, propertyName } from "./sources/property";
import { actionRows, listInDialog } from "./sources/rows";
import { defaultSource, type Host, readAll, type Source, source } from "./sources/source";
import { valueError } from "./value-error";
import { JSONATA } from "./word";

export interface Reader<F extends Fields> {
  /** A mistake of the configuration with which every message fails. */
  readonly problem: ValueError | undefined;
  /** Reads and checks all fields for one message: at once, if no source or check takes its time. Throws, or rejects with, `ValueError`. */
  readonly read: (message: object) => Values<F> | Promise<Values<F>>;
  /** Returns where a missing value of a field was looked for. */
  looked(field: string): string | undefined;
  /** Builds something of the values: an error gets the source of the field that it names. */
  build<T>(make: () => T, message?: object): T;
}

interface Prepared {
  readonly name: string;
  readonly field: Field;
  readonly source: Source;
}

/** The values of a request so far. */
type Before = Readonly<Record<string, unknown>>;

/** Warns of values that are sent, but may be mistakes. */
interface Doubting extends Pick<Host, "mayBeTwo"> {
  readonly warn: (notice: Notice) => void;
}

/** Prepares the fields of a node once, so that a message only has to be read and checked. */
export function reader<F extends Fields>(fields: F, config: Config, host: Host): Reader<F> {
  const prepared: readonly Prepared[] = Object.entries(fields)
    // What a message brings for another mode is left out, so that one message can serve both.
    .filter(([name, field]) => field.kind !== "onlyInMode" || ownPair(name, field, config))
    .map(([name, field]) => ({ name, field, source: sourceOf(name, field, config, host) }));
  const sources = prepared.map(({ source }) => source);
  const doubting = { warn: onlyOnce((notice) => host.warn?.(notice)), mayBeTwo: host.mayBeTwo };
  const looked = (field: string) => {
    const source = prepared.find(({ name }) => name === field)?.source;
    return source?.looked ?? source?.label;
  };
  function check(
    from: number,
    raw: readonly unknown[],
    message: object,
    values: Record<string, unknown>,
  ): Values<F> | Promise<Values<F>> {
    for (let index = from; index < prepared.length; index += 1) {
      const entry = prepared[index] as Prepared;
      const value = checked(entry, raw[index], message, values, doubting);
      if (value instanceof Promise)
        return value.then((late: unknown) => {
          if (late !== undefined) values[entry.name] = late;
          return check(index + 1, raw, message, values);
        });
      if (value !== undefined) values[entry.name] = value;
    }
    return values as Values<F>;
  }
  return {
    problem: sources.find(({ problem }) => problem?.key.startsWith("config."))?.problem,
    read(message) {
      let raw: unknown[] | Promise<unknown[]>;
      try {
        raw = readAll(sources, message);
      } catch (error) {
        throw explained(error, message);
      }
      if (!(raw instanceof Promise)) return check(0, raw, message, {});
      const explain = (error: unknown) => Promise.reject(explained(error, message));
      return raw.catch(explain).then((values) => check(0, values, message, {}));
    },
    looked,
    build(make, message = {}) {
      try {
        return make();
      } catch (error) {
        if (error instanceof ValueError) error.source ??= looked(error.path);
        throw explained(error, message);
      }
    },
  };
}

const NO_NOTICES: readonly Notice[] = [];

/**
 * A value as the request has it: a promise if its check takes its time. Throws, or rejects with, `ValueError`.
 * @param ready what such a check has made of it
 */
function checked(
  entry: Prepared,
  raw: unknown,
  message: object,
  before: Before,
  doubting: Doubting,
  ready?: { readonly value: unknown },
): unknown {
  const { name, field, source } = entry;
  try {
    const given = source.label === JSONATA && isGiven(raw) ? listOfOne(raw, field, name) : raw;
    const value = ready ? ready.value : isGiven(given) ? checkValue(field, given, name) : undefined;
    if (value instanceof Promise) return checkedLate(value, entry, raw, message, before, doubting);
    if (value !== undefined) {
      const sent = field.dialedBy === undefined ? value : asDialed(field, value, name, before);
      // A hotline is called by nobody here.
      const two = field.kind === "hotline" ? undefined : doubting.mayBeTwo;
      for (const notice of KINDS[field.kind].doubt?.(raw, sent as never, name, two, field) ?? NO_NOTICES)
        doubting.warn(notice);
      return sent;
    }
    if (field.default === undefined && field.required) throw explained(missing(field, name, source.label), message);
    return field.default;
  } catch (error) {
    throw located(entry, message, error);
  }
}

function checkedLate(
  checking: Promise<unknown>,
  ...[entry, raw, message, before, doubting]: Parameters<typeof checked>
): Promise<unknown> {
  return checking.then(
    (value) => checked(entry, raw, message, before, doubting, { value }),
    (error: unknown) => Promise.reject(located(entry, message, error)),
  );
}

/** An error with the path at which the value was found. */
function located({ name, source }: Prepared, message: object, error: unknown): ValueError {
  const path = error instanceof ValueError && source.found?.(message, error.path.slice(name.length));
  return valueError(error, name, path || source.label);
}

const NOT_FOUND: readonly string[] = ["missing", "numberMissing", "nothingToSay", "templateMissing"];

/** A missing value may be in the payload, if that is JSON text or a list and the value was not looked for elsewhere: then the error says so. */
function explained(error: unknown, message: object): unknown {
  if (!(error instanceof ValueError) || !NOT_FOUND.includes(error.key.replace("input.", ""))) return error;
  const { path, source, params } = error;
  const lookedIn = params["variable"] === undefined ? source : `msg.${params["variable"]}`;
  const isElsewhere = /^(?:msg|flow|global|env)\.(?!payload\b)/.test(String(lookedIn));
  if (isElsewhere) return error;
  if (/^msg\.payload\b/.test(String(lookedIn)) && Array.isArray(followOwn(message, ["payload"])))
    return new ValueError("input.payloadIsList", path, {}, source);
  return isJsonText(message) ? new ValueError("input.payloadIsText", path, {}, source) : error;
}

/** Whether the payload is text that a JSON node would make an object of. */
function isJsonText(message: object): boolean {
  const payload = followOwn(message, ["payload"]);
  if (typeof payload !== "string" || !/^\s*[{[]/.test(payload)) return false;
  return attempt(() => JSON.parse(payload)) !== undefined;
}

/** Wraps the only result of a filter, which JSONata gives as the object itself instead of a list. */
function listOfOne(value: unknown, { kind }: Field, name: string): unknown {
  if (!isListKind(kind) || !isObject(value)) return value;
  if (name !== "schedule" || !("days" in value)) return [value];
  return isObject(value.days) ? { ...value, days: [value.days] } : value;
}

function missing({ dialedBy }: Pick<Field, "dialedBy">, name: string, source?: string): ValueError {
  return new ValueError(dialedBy === undefined ? "input.missing" : "input.numberMissing", name, {}, source);
}

/**
 * A value as it is sent: of a number that is to be dialed, what can be. Refuses one that cannot.
 * @param values of the request so far
 * @throws ValueError
 */
function asDialed(
  { dialedBy }: Pick<Field, "dialedBy">,
  value: unknown,
  name: string,
  values: Readonly<Record<string, unknown>>,
): unknown {
  return dialedBy !== undefined && values[dialedBy] === "external" ? toDialable(String(value), name) : value;
}

/** Prepares the source of a field: its default mapping, a list in the dialog, or a typed input. */
function sourceOf(name: string, field: Field, config: Config, host: Host): Source {
  const pair = ownPair(name, field, config);
  if (!pair) return defaultSource(name, field.fallbacks);
  if (pair.type === "list" && field.kind === "actions") return actionRows(pair.value, name, host);
  if (pair.type === "list" && isListKind(field.kind)) return listInDialog(pair.value, name);
  return source(pair, name, host);
}

/** The pair of a field that is not its default mapping. */
function ownPair(name: string, { property = propertyName(name) }: Field, config: Config): Pair | undefined {
  const pair = pairOf(config, property);
  return pair?.type === "msg" && pair.value === `payload.${name}` ? undefined : pair;
}
