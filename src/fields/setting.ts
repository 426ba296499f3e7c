import { isZone } from "../hours";
import { isGiven, toNumber, toText } from "./kinds/coerce";
import type { ConfigKey } from "./text-key";
import type { Params } from "./word";

/**
 * What a property that is the same for every message may be. A declaration is plain data: it ships in the dialogs as
 * JSON, so that the editor checks a value with the same function as the runtime.
 */
export type Setting =
  | { readonly kind: "text" | "address" | "header" | "zone"; readonly default: string }
  | { readonly kind: "option"; readonly choices: readonly string[]; readonly default: string }
  | ({ readonly kind: "number"; readonly default: number } & NumberRange)
  /** A duration of more than 0 seconds. */
  | { readonly kind: "seconds"; readonly most: number; readonly default: number };

/** The numbers that a setting accepts, both ends included. */
interface NumberRange {
  readonly from: number;
  readonly to: number;
  /** Whether only integers are accepted. */
  readonly whole?: boolean;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The type of a setting's checked value. */
export type SettingValue<S extends Setting> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly default: number }
    ? number
    : string;

/** A value that a setting does not take. */
export class SettingError extends Error {
  constructor(
    /** Key below `errors.config` in the shared catalogue. */
    readonly key: ConfigKey | "seconds",
    readonly property: string,
    readonly params: Params = {},
  ) {
    super(`${property}: ${key}`);
  }
}

/**
 * Checks the value of a setting as a flow file holds it; numbers may be strings.
 * @returns the setting's default when nothing is given
 * @throws SettingError
 */
export function checkSetting<S extends Setting>(setting: S, value: unknown, property: string): SettingValue<S> {
  return check(setting, value, property) as SettingValue<S>;
}

function check(setting: Setting, value: unknown, property: string): string | number {
  switch (setting.kind) {
    case "text":
    case "address":
      return withoutVariable(line(value, property) ?? setting.default, property);
    case "option":
      return isGiven(value) ? option(setting.choices, value, property) : setting.default;
    case "number":
      return number(value, setting, property) ?? setting.default;
    case "seconds": {
      const seconds = numberIn(value, { from: Number.MIN_VALUE, to: setting.most }) ?? setting.default;
      if (Number.isNaN(seconds)) throw new SettingError("seconds", property, { most: setting.most });
      return seconds;
    }
    case "zone":
      return zone(line(value, property) ?? setting.default, property);
    case "header":
      return header(line(value, property) ?? setting.default, property);
  }
}

function line(value: unknown, property: string): string | undefined {
  try {
    return toText(value, property);
  } catch {
    throw new SettingError("notText", property);
  }
}

/** Node-RED replaces `${NAME}` only when it is the whole value and the environment has that name. */
export function withoutVariable(text: string, property: string): string {
  const [, variable] = /\$\{([^}]*)\}/.exec(text) ?? [];
  if (variable !== undefined) throw new SettingError("unresolved", property, { variable: variable.slice(0, 60) });
  return text;
}

function option(choices: readonly string[], value: unknown, property: string): string {
  const known = choices.find((choice) => choice === value);
  if (known === undefined) throw new SettingError("notChoice", property, { choices: choices.join(", ") });
  return known;
}

function number(value: unknown, range: NumberRange, property: string): number | undefined {
  const given = numberIn(value, range);
  if (Number.isNaN(given)) throw new SettingError("range", property, { from: range.from, to: range.to });
  return given;
}

/**
 * Reads the number of a setting, from a number or its decimal text.
 * @returns `undefined` when the value is blank, `NaN` when it is not a number of the range
 */
function numberIn(value: unknown, { from, to, whole = false }: NumberRange): number | undefined {
  let number: number | undefined;
  try {
    number = toNumber(value, "");
  } catch {
    return Number.NaN;
  }
  if (number === undefined) return undefined;
  return number >= from && number <= to && (!whole || Number.isInteger(number)) ? number : Number.NaN;
}

function zone(name: string, property: string): string {
  const known: boolean = name === "" || isZone(name);
  if (!known) throw new SettingError("zoneUnknown", property, { zone: name.slice(0, 60) });
  return name;
}

/** Headers that HTTP or this client sets itself. undici refuses or merges the last four. */
const RESERVED_HEADERS: readonly string[] = [
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "accept",
  "accept-encoding",
  "expect",
  "keep-alive",
  "upgrade",
];

function header(name: string, property: string): string {
  const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/.test(name);
  if (!isToken || RESERVED_HEADERS.includes(name.toLowerCase())) throw new SettingError("authHeader", property);
  return name;
}
