import type { DayEntry } from "../hours";
import type { KindName, Limits } from "./kinds";
import type { SpokenAction } from "./kinds/actions";
import type { Person } from "./kinds/people";
import type { ModeName } from "./word";

/**
 * One field of a request: which values it accepts, and where a value comes from if the flow file has no source for it.
 * `Given` is true if a checked request always has a value for it.
 */
export interface Field<Value = unknown, Given extends boolean = boolean> extends Limits {
  readonly kind: KindName;
  /** Whether it is refused when it is not given. */
  readonly required?: true;
  /** A check of its own instead of that of its kind. Throws `ValueError`. */
  readonly check?: (value: unknown, field: string) => Value | undefined;
  /** Sent when nothing is given. */
  readonly default?: Value;
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

function optional<Value>(kind: KindName, more: Partial<Field<Value>> = {}): Optional<Value> {
  return { kind, ...more } as Optional<Value>;
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
/** The name of a party. */
export const alias = () => optional<string>("name");
/** A text that may be a phone number. */
export const partyNumber = () => optional<string>("phone");
export const hotlineNumber = () => optional<string>("hotline");
/** The number of a party that is called: a phone number if `to.type` is external. */
export const calledNumber = () => optional<string>("phone", { dialedBy: "to.type" });
/** An absolute http or https address. */
export const webAddress = () => optional<string>("webAddress");

interface ChoiceOptions<Choice> extends Common, Pick<Limits, "onlyInMode"> {
  readonly spellings?: Readonly<Record<string, Choice>>;
}

/** A text out of those that the interface lists. */
export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  options: ChoiceOptions<NoInfer<Choice>> = {},
) => optional<Choice>("choice", { choices, ...options });

/** A field that only another mode of the node has: refused when it is given, rather than silently not sent. */
export const onlyInMode = (mode: ModeName) => optional<never>("onlyInMode", { mode });

export const positiveInteger = (common: Common = {}) => optional<number>("positiveInteger", common);
/** A value of any kind, unchecked. */
export const any = () => optional<unknown>("any");
/** A value with a check of its own, which may take its time. A `list` may also come from a list in the dialog. */
export const custom = <Value>(
  kind: "any" | "list",
  check: (value: unknown, field: string) => Value | Promise<Value> | undefined,
) => optional<Value>(kind, { check: check as NonNullable<Field<Value>["check"]> });
export const boolean = (common: Common = {}) => optional<boolean>("boolean", common);
export const id = (common: Common = {}) => optional<string>("id", common);
export const spokenActions = () => optional<SpokenAction[]>("actions");
/** The actions of an alarm. A text that is too long is cut; in other calls it is refused. */
export const alarmActions = () => optional<SpokenAction[]>("actions", { isAlarm: true });
/** A list of people to be called, one after the other. */
export const peopleList = () => optional<Person[]>("people");
export const dayList = () => optional<DayEntry[]>("days");
