import { isGiven } from "../../hours/untrusted";
import { ValueError } from "../../hours/value-error";
import { attempt } from "../../json/rules";
import { calendarAddress } from "../kinds/calendar-address";
import type { MayBeTwo } from "../kinds/phone-number";
import type { Notice } from "../notice";
import { errorIn, valueError } from "../value-error";
import { DIALOG, JSONATA, NOW, TEMPLATE } from "../word";
import { columnAt, readColumn } from "./column";
import { follow, followOwn, isForbidden, type Path, withoutRoot } from "./path";
import { literalOf, type Pair } from "./property";

/** The types of a typed input that have a source, besides a list in the dialog. */
export const SOURCE_TYPES = [
  "msg",
  "flow",
  "global",
  "str",
  "num",
  "bool",
  "json",
  "date",
  "env",
  "jsonata",
  "mustache",
] as const;

/** Access to paths, contexts, the environment and JSONata: Node-RED, or a substitute. */
export interface Host {
  /** Parses a property path. Throws when it is invalid. */
  path(expression: string): Path;
  /** Reads a flow or global context value; the store may be asynchronous. */
  context(scope: "flow" | "global", key: string, message: object): Promise<unknown>;
  /** An environment value as the node sees it; fixed while the flow runs. */
  env(name: string): unknown;
  /** Prepares a JSONata expression. Throws when it does not parse. */
  jsonata(expression: string): (message: object) => Promise<unknown>;
  /** A calendar at an address, which is fetched by others. Only where exceptions are read. */
  calendar?(address: URL): CalendarSource;
  /** Warns the operator about a value that is sent, but may be a mistake. */
  warn?(notice: Notice): void;
  readonly mayBeTwo?: MayBeTwo;
  /** Whether messages have a row as `payload` and `row`, whose columns have names of any kind. */
  readonly columns?: true;
}

export interface CalendarSource {
  /** Rejects with ValueError for a text that cannot be read. Resolves with `undefined` where there is none. */
  read(): Promise<string | undefined>;
  /** The server, and why there is no text. The rest of an address may be secret. */
  readonly label: string;
}

/** The source of a field's value, prepared once for a node. */
export interface Source {
  /** As an error names it: `msg.payload.to.number`, `flow.customer`, `the dialog`. */
  readonly label: string;
  /** Whether the value is the same for every message. */
  readonly fixed: boolean;
  /** The reason why no message can be read: the source itself is wrong. */
  readonly problem?: ValueError;
  /** Reads the value for a message. Throws, or rejects with, `ValueError`. */
  read(message: object): unknown;
  /**
   * Returns where the value of `read` was found, if that is not always the label.
   * @param part the part of a list, e.g. `[2].text`
   */
  found?(message: object, part: string): string;
  /** The source in which a missing value was looked for, if that is not the label. */
  readonly looked?: string;
}

/**
 * Reads several sources: at once, if all of them can. All reads start before any is awaited, because a flow may change the message
 * afterwards. Throws, or rejects with, the first failure. Others are handled, too: an unhandled one would end the process.
 */
export function readAll(sources: readonly Source[], message: object): unknown[] | Promise<unknown[]> {
  const values: unknown[] = [];
  let isPending = false;
  try {
    for (const source of sources) {
      const value = source.read(message);
      isPending ||= value instanceof Promise;
      values.push(value);
    }
  } catch (error) {
    if (isPending) void Promise.allSettled(values);
    throw error;
  }
  return isPending ? Promise.all(values) : values;
}

/** Prepares a typed input. Never throws: a source that cannot be prepared fails for each message that needs it. */
export function source(pair: Pair, field: string, host: Host): Source {
  if (pair.value === "" || pair.value === undefined || pair.value === null) return fixed(undefined);
  try {
    return prepare(pair, field, host);
  } catch (error) {
    const problem =
      error instanceof ValueError
        ? error
        : new ValueError("input.badSource", field, { value: pair.value, type: pair.type });
    problem.source ??= DIALOG;
    return {
      label: problem.source,
      fixed: true,
      problem,
      read: () => {
        throw problem;
      },
    };
  }
}

function prepare({ value, type }: Pair, field: string, host: Host): Source {
  const text = String(value);
  switch (type) {
    case "str":
    case "num":
    case "bool":
    case "json":
      return fixed(literalOf({ value, type }, field));
    case "date":
      return { label: NOW, fixed: false, read: () => Date.now() };
    case "env":
      return fixed(host.env(text), `env.${text}`);
    case "msg":
      return host.columns ? column(text, field, host) : message(text, field, host.path(text));
    case "flow":
    case "global":
      if (isForbidden(host.path(withoutStore(text))))
        throw new ValueError("input.badSource", field, { value: text, type });
      return located(dynamic(`${type}.${withoutStore(text)}`, field, (msg) => host.context(type, text, msg)));
    case "url":
      return calendar(text, field, host);
    case "jsonata":
      return dynamic(JSONATA, field, host.jsonata(text));
    case "mustache": {
      // The template library is loaded with the first template.
      const { onlyVariable, rowTemplate, template } = require("./template") as typeof import("./template");
      const render = (host.columns ? rowTemplate : template)(text, field);
      const variable = onlyVariable(text);
      return {
        ...dynamic(TEMPLATE, field, render),
        ...(variable !== undefined && { found: () => `msg.${variable}` }),
      };
    }
    default:
      throw new ValueError("input.badType", field, { value: type });
  }
}

function calendar(text: string, field: string, host: Host): Source {
  if (!host.calendar || !/exceptions$/i.test(field)) throw new ValueError("input.badType", field, { value: "url" });
  const address = calendarAddress(text, field, (name) => host.env(name));
  const calendar = host.calendar(address);
  return {
    ...dynamic(address.host, field, () => calendar.read().catch((error) => Promise.reject(errorIn(field, error)))),
    get looked() {
      return calendar.label;
    },
  };
}

function fixed(value: unknown, label = DIALOG): Source {
  return { label, fixed: true, read: () => value };
}

function message(expression: string, field: string, parsed: Path): Source {
  if (isForbidden(parsed)) throw new ValueError("input.badSource", field, { value: expression, type: "msg" });
  const path = withoutRoot(parsed);
  return located(dynamic(labelOf(expression), field, (msg) => follow(msg, path)));
}

function labelOf(expression: string): string {
  return `msg.${expression.replace(/^msg\./, "")}`;
}

/** A path that may name a column of the row. Where it is no path, all of it behind the root is the name. */
function column(expression: string, field: string, host: Host): Source {
  const place = columnAt(expression);
  if (!place) return message(expression, field, host.path(expression));
  const parsed = attempt(() => host.path(expression));
  if (parsed && isForbidden(parsed)) throw new ValueError("input.badSource", field, { value: expression, type: "msg" });
  const path = parsed && withoutRoot(parsed);
  return located(dynamic(labelOf(expression), field, (msg) => readColumn(msg, place, path)));
}

/** A source that errors name together with the part of a list. */
function located(source: Source): Source {
  return { ...source, found: (_, part) => source.label + part };
}

/** The key of a context value without the name of its store: `#:(file)::customer`. */
function withoutStore(key: string): string {
  return key.replace(/^#:\(\S+?\)::/, "");
}

/** The mapping of a freshly dropped node: `payload.<field>`, the dotted name as an own key, then the field's fallbacks. */
export function defaultSource(field: string, fallbacks: readonly (readonly string[])[] = []): Source {
  const nested = ["payload", ...field.split(".")];
  const others = [["payload", field], ...fallbacks];
  const label = `msg.payload.${field}`;
  const place = (msg: object) => {
    const value = followOwn(msg, nested);
    if (isGiven(value)) return { path: nested, value };
    // A nested value that exists but is empty takes precedence over the dotted key, but not over a fallback.
    for (const path of value === undefined ? others : fallbacks) {
      const value = followOwn(msg, path);
      if (isGiven(value)) return { path, value };
    }
    return undefined;
  };
  return {
    ...dynamic(label, field, (msg) => place(msg)?.value),
    found: (msg, part) => {
      const path = place(msg)?.path;
      return (path ? `msg${path.map((key) => (key.includes(".") ? `["${key}"]` : `.${key}`)).join("")}` : label) + part;
    },
  };
}

/** A source that is read for each message. A getter of the message may throw, and a context store may fail. */
function dynamic(label: string, field: string, read: (message: object) => unknown): Source {
  const fail = (error: unknown): never => {
    throw valueError(error, field, label);
  };
  return {
    label,
    fixed: false,
    read: (message) => {
      try {
        const value = read(message);
        return value instanceof Promise ? value.catch(fail) : value;
      } catch (error) {
        return fail(error);
      }
    },
  };
}
