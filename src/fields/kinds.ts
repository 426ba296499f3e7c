import { ValueError } from "../hours/value-error";
import { readActions } from "./kinds/actions";
import { isBlank, toBoolean, toChoice, toId, toPositiveInteger, toText, toWebAddress } from "./kinds/coerce";
import { toDayList, toExceptionList, toInstant, toLocalInstant, toNotBefore, toSchedule, toZone } from "./kinds/hours";
import { readPeople } from "./kinds/people";
import { toPhoneList } from "./kinds/phone-list";
import { toHotline } from "./kinds/phone-number";
import type { ModeName } from "./word";

/** What limits the values of a field besides its kind. */
interface Limits {
  readonly choices?: readonly string[];
  /** The only mode of the node that has the field. */
  readonly mode?: ModeName;
}

/** What a value may be, and where it may come from. */
interface Kind {
  /**
   * Checks a value as the runtime does. Default: any value is accepted.
   * @returns `undefined` when it is not given
   * @throws ValueError
   */
  readonly check?: (value: unknown, field: string, limits: Limits) => unknown;
  /** The types that a dialog offers, in the order of its menu. `choice` is a text, one of the choices. */
  readonly sources: readonly string[];
  /** What a message may have, as the help names it. */
  readonly json?: readonly string[];
  /** The icon of a row whose property has none. */
  readonly icon?: string;
}

const MESSAGE = ["msg", "flow", "global"];
const COMPUTED = [...MESSAGE, "jsonata", "env"];
const WORDS = [...MESSAGE, "str", "mustache", "jsonata", "env"];
const LIST = ["list", ...MESSAGE, "json", "jsonata"];
const STRING = ["string"];
const ARRAY = ["array"];

const TABLE = {
  text: { check: toText, sources: WORDS, json: STRING },
  hotline: { check: toHotline, sources: WORDS, json: STRING, icon: "fa-phone" },
  webAddress: { check: toWebAddress, sources: WORDS, json: STRING, icon: "fa-link" },
  choice: { check: choice, sources: ["choice", ...COMPUTED], json: STRING, icon: "fa-list-ul" },
  positiveInteger: {
    check: toPositiveInteger,
    sources: ["num", ...COMPUTED],
    json: ["number"],
    icon: "fa-sort-numeric-asc",
  },
  boolean: { check: toBoolean, sources: ["bool", ...COMPUTED], json: ["boolean"], icon: "fa-check-square-o" },
  id: { check: toId, sources: WORDS, json: ["number", "string"], icon: "fa-hashtag" },
  actions: { check: (value, field) => readActions(value, field), sources: LIST, json: ARRAY, icon: "fa-commenting-o" },
  days: { check: toDayList, sources: LIST, json: ARRAY, icon: "fa-calendar" },
  people: { check: readPeople, sources: LIST, json: ARRAY, icon: "fa-users" },
  list: { sources: LIST, json: ARRAY },
  any: { sources: WORDS, json: ["string", "number", "boolean"] },
  onlyInMode: { check: onlyBlank, sources: WORDS, json: STRING },
  // Of a gate, a trigger or a tenant.
  schedule: { check: (value) => toSchedule(value, "schedule"), sources: [...LIST, "env"] },
  exceptions: {
    check: (value, field) => toExceptionList(value, field || "exceptions"),
    sources: ["list", "url", ...MESSAGE, "json", "jsonata", "env"],
    icon: "fa-calendar-times-o",
  },
  zone: { check: (value) => toZone(value, "timezone"), sources: ["str", "env", "flow", "global", "msg", "jsonata"] },
  moment: { check: (value) => toLocalInstant(value, "at"), sources: ["date", ...MESSAGE, "str", "jsonata", "env"] },
  override: { check: override, sources: ["choice", ...COMPUTED] },
  phoneList: { check: toPhoneList, sources: ["list", "flow", "global", "env", "json"] },
  instant: {
    check: (value, property) => (property === "notBefore" ? toNotBefore : toInstant)(value, property),
    sources: [...MESSAGE, "str", "jsonata", "env"],
  },
} satisfies Readonly<Record<string, Kind>>;

/** Selects the input that the editor offers for a field, and the check of its value. */
export type KindName = keyof typeof TABLE;

export const KINDS: Readonly<Record<KindName, Kind>> = TABLE;

/** Checks a value as its kind says. Throws `ValueError`. */
export function checkKind(kind: KindName, value: unknown, field: string, limits: Limits): unknown {
  const { check } = KINDS[kind];
  return check ? check(value, field, limits) : value;
}

/** Whether a value may be a list of the flow file, below the row in the dialog. */
export function isListKind(name: KindName): boolean {
  return KINDS[name].sources.includes("list");
}

function choice(value: unknown, field: string, { choices = [] }: Limits): unknown {
  return toChoice(value, field, choices);
}

function onlyBlank(value: unknown, field: string, { mode = "simple" }: Limits): undefined {
  if (!isBlank(value)) throw new ValueError("input.onlyInMode", field, { mode, how: { word: mode } });
}

function override(value: unknown, _: string, { choices = [] }: Limits): unknown {
  if (choices.some((choice) => choice === value)) return value;
  throw new ValueError("config.notChoice", "override", { choices: choices.join(", ") });
}
