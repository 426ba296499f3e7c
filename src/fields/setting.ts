import { isGiven } from "../hours/untrusted";
import { ValueError } from "../hours/value-error";
import { isZone } from "../hours/zone";
import { attempt } from "../json/rules";
import { isBlank, toBoolean, toNumber, toText } from "./kinds/coerce";
import { checkCallable } from "./kinds/phone-number";

/**
 * The rule for a property whose value is the same for every message. A declaration is plain data: the dialogs
 * contain it as JSON, so that the editor and the runtime check a value with the same function.
 */
export type Setting =
  | { readonly kind: "text" | "hotline" | "address" | "header" | "path" | "zone" | "country"; readonly default: string }
  | { readonly kind: "option"; readonly choices: readonly string[]; readonly default: string }
  /** Also as text, `"true"` or `"false"`. */
  | { readonly kind: "boolean"; readonly default: boolean }
  /** Both ends of the range are included; `whole` accepts only integers. */
  | {
      readonly kind: "number";
      readonly from: number;
      readonly to: number;
      readonly whole?: boolean;
      readonly default: number;
    }
  /** A duration of more than 0 seconds. */
  | { readonly kind: "seconds"; readonly most: number; readonly default: number };

export type Settings = Readonly<Record<string, Setting>>;

/** The type of a setting's checked value. */
export type SettingValue<S extends Setting> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly default: boolean }
    ? boolean
    : S extends { readonly default: number }
      ? number
      : string;

/**
 * Checks the value of a setting as a flow file holds it; numbers may be strings.
 * @returns the setting's default when nothing is given
 * @throws ValueError
 */
export function checkSetting<S extends Setting>(setting: S, value: unknown, property: string): SettingValue<S> {
  const isDefault = setting.kind === "option" ? !isGiven(value) : setting.kind !== "path" && isBlank(value);
  return (isDefault ? setting.default : check(setting, value, property)) as SettingValue<S>;
}

/**
 * Checks declared settings of a node, as a flow file holds them.
 * @throws ValueError
 */
export function checkSettings<S extends Settings>(settings: S, config: Readonly<Record<string, unknown>>) {
  const checked = Object.entries(settings).map(([name, setting]) => [name, checkSetting(setting, config[name], name)]);
  return Object.fromEntries(checked) as { readonly [Name in keyof S]: SettingValue<S[Name]> };
}

function check(setting: Setting, value: unknown, property: string): unknown {
  if (typeof value === "string") withoutVariable(value, property);
  switch (setting.kind) {
    case "option": {
      const { choices } = setting;
      if (choices.some((choice) => choice === value)) return value;
      throw new ValueError("config.notChoice", property, { choices: choices.join(", ") });
    }
    case "boolean": {
      const boolean = attempt(() => toBoolean(value, ""));
      if (boolean !== undefined) return boolean;
      throw new ValueError("config.notChoice", property, { choices: "true, false" });
    }
    case "number": {
      const { from, to, whole = false } = setting;
      const number = numberOf(value);
      if (number >= from && number <= to && (!whole || Number.isInteger(number))) return number;
      throw new ValueError("config.range", property, { from, to });
    }
    case "seconds": {
      const seconds = numberOf(value);
      if (seconds > 0 && seconds <= setting.most) return seconds;
      throw new ValueError("input.badSeconds", property, { most: setting.most });
    }
    case "country": {
      // Which countries there are is known where numbers are compared.
      const code = line(value, property);
      if (/^[A-Za-z]{2}$/.test(code)) return code.toUpperCase();
      throw new ValueError("config.country", property, { country: code.slice(0, 60) });
    }
    case "hotline": {
      const number = line(value, property);
      checkCallable(number, property);
      return number;
    }
    case "zone": {
      const name = line(value, property);
      const isKnown: boolean = isZone(name);
      if (isKnown) return name;
      throw new ValueError("config.zoneUnknown", property, { zone: name.slice(0, 60) });
    }
    case "path": {
      const path = attempt(() => toText(value, "")) ?? "";
      if (/^[\w/.-]{1,200}$/.test(path) && !/\/\/|\.\.|^\/$/.test(path)) return path;
      throw new ValueError("config.webhookPath", property);
    }
    case "header":
      return header(line(value, property), property);
    default:
      return line(value, property);
  }
}

function line(value: unknown, property: string): string {
  const text = attempt(() => toText(value, ""));
  if (text === undefined) throw new ValueError("config.notText", property);
  return text;
}

/**
 * The secret of a webhook.
 * @param scheme of its signatures
 * @throws ValueError
 */
export function readSecret(text: string, scheme: unknown = ""): string {
  const isText = /^(?! )[\x20-\x7e]{8,200}$(?<! )/.test(withoutVariable(text, "secret"));
  if (!isText) throw new ValueError("config.webhookSecret", "secret");
  if (scheme === "standard" && !/^(?:whsec_)?(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2,3}={0,2})?$/.test(text))
    throw new ValueError("config.secretBase64", "secret");
  return text;
}

/** Reads a number or its decimal text; `NaN` when it is neither. */
function numberOf(value: unknown): number {
  return attempt(() => toNumber(value, "")) ?? Number.NaN;
}

/** Node-RED replaces `${NAME}`, and `$(NAME)`, only when it is the whole value and the environment has that name. */
export function withoutVariable(text: string, property: string): string {
  // No expression: it would look for an end behind each of many beginnings.
  const from = text.indexOf("${");
  const to = from < 0 ? -1 : text.indexOf("}", from);
  const variable = to < 0 ? /^\$\((\S+)\)$/.exec(text)?.[1] : text.slice(from + 2, to);
  if (variable === undefined) return text;
  throw new ValueError("config.unresolved", property, { variable: variable.slice(0, 60) });
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
  if (!isToken || RESERVED_HEADERS.includes(name.toLowerCase())) throw new ValueError("config.authHeader", property);
  return name;
}
