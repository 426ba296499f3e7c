import type { DayEntry } from "../hours";
import { ValueError } from "../hours/value-error";
import type { KindName } from "./kinds";
import type { SpokenAction } from "./kinds/actions";
import { toChoice, toText } from "./kinds/coerce";
import type { Person } from "./kinds/people";
import type { Notice } from "./notice";
import { quote } from "./quote";
import type { ModeName } from "./word";

/**
 * One field of a request: which values it accepts, and where a value comes from if the flow file has no source for it.
 * `Given` is true if a checked request always has a value for it.
 */
export interface Field<Value = unknown, Given extends boolean = boolean> {
  readonly kind: KindName;
  /** Refused when it is not given. */
  readonly required?: true;
  /** Converts a value to the field's kind; `undefined` means "not given". Throws `ValueError`. */
  readonly check: (value: unknown, field: string) => Value | undefined;
  /** Finds what may be a mistake in a value that is sent nevertheless. */
  doubt?(raw: unknown, value: Value, field: string): readonly Notice[];
  /** Sent when nothing is given. */
  readonly default?: Value;
  readonly choices?: readonly string[];
  /** Other ways in which a flow may write a choice. */
  readonly spellings?: readonly string[];
  /** The only mode of the node that has the field. */
  readonly mode?: ModeName;
  /** Flow file property where it is not the field's name in camel case. */
  readonly property?: string;
  /** Message properties read after `payload.<field>` while the mapping is the default one. */
  readonly fallbacks?: readonly (readonly string[])[];
  /**
   * The field of the same request that makes this one a number to dial when it is `external`, declared before it. Any other
   * number is free text.
   */
  readonly dialedBy?: string;
  /** Exists only in the type, to distinguish `Given`. */
  readonly given?: Given;
}

export type Fields = Readonly<Record<string, Field>>;

/** The checked values of a request, by the interface's names. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer Value, infer Given>
    ? Given extends true
      ? Value
      : Value | undefined
    : never;
};

type Common = Pick<Field, "property" | "fallbacks">;

type Optional<Value> = Field<Value, false>;

/** A field that is checked as its kind says, unless it has a check of its own. */
function optional<Value>(kind: KindName, more: Partial<Field<Value>> = {}): Optional<Value> {
  const check = (value: unknown, field: string) => kinds().checkKind(kind, value, field, more) as Value | undefined;
  return { kind, check, ...more } as Optional<Value>;
}

/** The same field, refused with ERR_INPUT when it is not given. */
export function required<Value>(field: Optional<Value>): Field<Value, true> {
  const { given: _, ...rest } = field;
  return { ...rest, required: true };
}

/** The same field, sent with a default when it is not given. */
export function withDefault<Value>(field: Optional<Value>, value: Value): Field<Value, true> {
  const { given: _, ...rest } = field;
  return { ...rest, default: value };
}

export const text = (common: Common = {}) => optional<string>("text", common);
/** A text that may be a phone number. */
export const partyNumber = () => optional<string>("text", { doubt: doubtfulNumber });
/** The number of the hotline that calls. */
export const hotlineNumber = () => optional<string>("hotline", { doubt: doubtfulNumber });
/** The number of a party that is called: a phone number if `to.type` is external. */
export const calledNumber = () => optional<string>("text", { doubt: doubtfulNumber, dialedBy: "to.type" });
/** An absolute http or https address. */
export const webAddress = () => optional<string>("webAddress");

interface ChoiceOptions<Choice> extends Common {
  /** Other ways in which a flow may write a choice. */
  readonly spellings?: Readonly<Record<string, Choice>>;
  /** Choices that only another mode of the node has, with that mode's name. */
  readonly onlyInMode?: Readonly<Record<string, ModeName>>;
}

/** One of the values that the interface lists. */
export function choice<const Choice extends string>(
  choices: readonly Choice[],
  { spellings, onlyInMode = {}, ...common }: ChoiceOptions<Choice> = {},
) {
  const bySpelling = new Map<unknown, string>(Object.entries(spellings ?? {}));
  const modes = new Map(Object.entries(onlyInMode));
  const check = (value: unknown, field: string) => {
    const given = toText(value, field);
    const mode = given && modes.get(given);
    if (mode) throw new ValueError("input.choiceOnlyInMode", field, { value: given, mode, how: { word: mode } });
    return toChoice(bySpelling.get(given) ?? given, field, choices) as Choice | undefined;
  };
  return optional<Choice>("choice", {
    check,
    choices,
    ...(spellings && { spellings: Object.keys(spellings) }),
    ...common,
  });
}

/** A field that only another mode of the node has: refused when it is given, rather than silently not sent. */
export const onlyInMode = (mode: ModeName) => optional<never>("onlyInMode", { mode });

export const positiveInteger = (common: Common = {}) => optional<number>("positiveInteger", common);
/** Any value, unchecked. */
export const any = () => optional<unknown>("any");
/** A value with a check of its own, which may take its time. A `list` may also come from a list in the dialog. */
export const custom = <Value>(
  kind: "any" | "list",
  check: (value: unknown, field: string) => Value | Promise<Value> | undefined,
) => optional<Value>(kind, { check: check as Field<Value>["check"] });
export const boolean = (common: Common = {}) => optional<boolean>("boolean", common);
export const id = (common: Common = {}) => optional<string>("id", common);
export const spokenActions = () =>
  optional<SpokenAction[]>("actions", {
    doubt: (_, value, field) => actions().doubtfulActions(value, field),
  });
/** The actions of an alarm. A text that is too long is cut; in other calls it is refused. */
export const alarmActions = () =>
  optional<SpokenAction[]>("actions", {
    check: (value, field) => actions().readActions(value, field, true),
    doubt: (raw, value, field) => [...actions().doubtfulActions(value, field), ...actions().cutTexts(raw, field)],
  });
/** People to be called, one after the other. */
export const peopleList = () =>
  optional<Person[]>("people", {
    doubt: (raw, value, field) =>
      people().doubtfulNumbers(raw, value, field, (number, place) => doubtfulNumber(number, "", place)),
  });
export const dayList = () => optional<DayEntry[]>("days");

const NOTHING: readonly Notice[] = [];

/**
 * A national number without its zero has 8 to 10 digits in most countries; with a country code it has more. User ids and
 * queues are shorter. A form turns a `+` that is not encoded into a blank. Our choice.
 */
function doubtfulNumber(raw: unknown, _: string, field: string): readonly Notice[] {
  const notice = (key: Notice["key"]) => [{ key, params: { field, value: quote(raw) }, reason: `${key} ${field}` }];
  if (typeof raw === "string") return /^ [1-9][0-9]{9,}$/.test(raw) ? notice("lostPlus") : NOTHING;
  return typeof raw === "number" && raw >= 1e7 && raw < 1e10 ? notice("lostZero") : NOTHING;
}

// Loaded with the first value: every start of Node-RED loads this file.
let loaded: typeof import("./kinds") | undefined;
function kinds(): typeof import("./kinds") {
  loaded ??= require("./kinds") as typeof import("./kinds");
  return loaded;
}
const actions = () => require("./kinds/actions") as typeof import("./kinds/actions");
const people = () => require("./kinds/people") as typeof import("./kinds/people");
