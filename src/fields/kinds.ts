import { ValueError } from "../hours/value-error";
import { doubtfulActions, readActions } from "./kinds/actions";
import { isBlank, toBoolean, toChoice, toId, toName, toText, toWebAddress, toWholeNumber } from "./kinds/coerce";
import { toAddress, toCountry, toEncoding, toHeader, toNumberInRange, toOption, toPath } from "./kinds/fixed";
import { toDayList, toExceptionList, toInstant, toLocalInstant, toNotBefore, toSchedule, toZone } from "./kinds/hours";
import { doubtfulPeople, readPeople } from "./kinds/people";
import { toPhoneList } from "./kinds/phone-list";
import { doubtfulNumber, type MayBeTwo, toHotline } from "./kinds/phone-number";
import type { Notice } from "./notice";
import type { ModeName } from "./word";

export interface Limits {
  /** The ends of a range, which are in it. */
  readonly from?: number;
  readonly to?: number;
  /** Whether only whole numbers of the range are allowed. */
  readonly whole?: true;
  readonly choices?: readonly string[];
  /** Other ways in which a flow may write a choice. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** Choices that only another mode of the node has, with that mode's name. */
  readonly onlyInMode?: Readonly<Record<string, ModeName>>;
  /** The only mode of the node that has the field. */
  readonly mode?: ModeName;
  /** Whether a text that is too long to be spoken is cut. */
  readonly isAlarm?: true;
}

/** A kind of value: what it may be, and where it may come from. */
interface Kind {
  /**
   * Checks a value as the runtime does. Default: any value is accepted.
   * @returns `undefined` when it is not given
   * @throws ValueError
   */
  readonly check?: (value: unknown, field: string, limits: Limits) => unknown;
  /** Finds what may be a mistake in a value that is sent nevertheless. */
  readonly doubt?: (raw: unknown, value: never, field: string, two: MayBeTwo, limits: Limits) => readonly Notice[];
  /**
   * The types that a dialog offers, in the order of its menu. `choice` is a text, one of the choices. None for a kind that only
   * settings have.
   */
  readonly sources: readonly string[];
  /** The types that a message may have, as the help names them. */
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
  name: { check: toName, sources: WORDS, json: STRING },
  phone: { check: toText, doubt: doubtfulNumber, sources: WORDS, json: STRING, icon: "fa-phone" },
  hotline: { check: toHotline, doubt: doubtfulNumber, sources: WORDS, json: STRING, icon: "fa-phone" },
  webAddress: { check: toWebAddress, sources: WORDS, json: STRING, icon: "fa-link" },
  choice: { check: choice, sources: ["choice", ...COMPUTED], json: STRING, icon: "fa-list-ul" },
  positiveInteger: {
    check: (value, field) => toWholeNumber(value, field, 1),
    sources: ["num", ...COMPUTED],
    json: ["number"],
    icon: "fa-sort-numeric-asc",
  },
  boolean: { check: toBoolean, sources: ["bool", ...COMPUTED], json: ["boolean"], icon: "fa-check-square-o" },
  id: { check: toId, sources: WORDS, json: ["number", "string"], icon: "fa-hashtag" },
  actions: {
    check: (value, field, { isAlarm }) => readActions(value, field, isAlarm),
    doubt: (raw, value, field, _, { isAlarm }) => doubtfulActions(raw, value, field, isAlarm),
    sources: LIST,
    json: ARRAY,
    icon: "fa-commenting-o",
  },
  days: { check: toDayList, sources: LIST, json: ARRAY, icon: "fa-calendar" },
  people: { check: readPeople, doubt: doubtfulPeople, sources: LIST, json: ARRAY, icon: "fa-users" },
  list: { sources: LIST, json: ARRAY },
  rows: { sources: [...MESSAGE, "jsonata", "json"], json: [...ARRAY, ...STRING, "object"], icon: "fa-table" },
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
  override: { check: toOption, sources: ["choice", ...COMPUTED] },
  phoneList: { check: toPhoneList, sources: ["list", "flow", "global", "env", "json"] },
  instant: {
    check: (value, property) => (property === "notBefore" ? toNotBefore : toInstant)(value, property),
    sources: [...MESSAGE, "str", "jsonata", "env"],
  },
  option: { check: toOption, sources: [] },
  number: { check: toNumberInRange, sources: [] },
  address: { check: toAddress, sources: [] },
  header: { check: toHeader, sources: [] },
  path: { check: toPath, sources: [] },
  country: { check: toCountry, sources: [] },
  encoding: { check: toEncoding, sources: [] },
} satisfies Readonly<Record<string, Kind>>;

/** Selects the input that the editor offers for a field, and the check of its value. */
export type KindName = keyof typeof TABLE;

export const KINDS: Readonly<Record<KindName, Kind>> = TABLE;

/**
 * Converts a value to the kind of a field.
 * @returns `undefined` when it is not given
 * @throws ValueError
 */
export function checkValue(
  field: Limits & Pick<Kind, "check"> & { readonly kind: KindName },
  value: unknown,
  name: string,
): unknown {
  const check = field.check ?? KINDS[field.kind].check;
  return check ? check(value, name, field) : value;
}

/** Whether a value may be a list of the flow file, below the row in the dialog. */
export function isListKind(name: KindName): boolean {
  return KINDS[name].sources.includes("list");
}

function choice(value: unknown, field: string, { choices = [], spellings = {}, onlyInMode = {} }: Limits): unknown {
  const given = toText(value, field) ?? "";
  const mode = Object.hasOwn(onlyInMode, given) && onlyInMode[given];
  if (mode) throw new ValueError("input.choiceOnlyInMode", field, { value: given, mode, how: { word: mode } });
  return toChoice(Object.hasOwn(spellings, given) ? spellings[given] : given, field, choices);
}

function onlyBlank(value: unknown, field: string, { mode = "simple" }: Limits): undefined {
  if (!isBlank(value)) throw new ValueError("input.onlyInMode", field, { mode, how: { word: mode } });
}
