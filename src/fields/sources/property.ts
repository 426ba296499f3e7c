import { isGiven } from "../../hours/untrusted";
import { ValueError } from "../../hours/value-error";
import { fromJson } from "../kinds/coerce";
import { DIALOG } from "../word";

/** A node's properties in the flow file. */
export type Config = Readonly<Record<string, unknown>>;

/** The two properties of a typed input in a flow file. The value `""` means "not given". */
export interface Pair {
  readonly value: unknown;
  readonly type: string;
}

/** The types of a typed input that need a message, which a node without an input does not have. */
export const MESSAGE_TYPES: readonly string[] = ["msg", "jsonata", "mustache"];

/** The typed input of a property, `undefined` where the flow file has none. */
export function pairOf(config: Config, property: string): Pair | undefined {
  const value = Object.hasOwn(config, property) ? config[property] : undefined;
  return value === undefined ? undefined : typed(value, config[`${property}Type`]);
}

/** A value with its type. Without one, it is a path of the message if it looks like one, else a text. */
export function typed(value: unknown, type: unknown): Pair {
  if (typeof type === "string" && type !== "") return { value, type };
  const isPath = typeof value === "string" && /^(?:payload|msg)\./.test(value);
  return isPath ? { value: value.replace(/^msg\./, ""), type: "msg" } : { value, type: "str" };
}

/** The typed input of the text of a row with a spoken action. */
export function textOfRow(row: unknown): Pair {
  const { text, textType } = Object(row) as Config;
  return typed(text, textType);
}

/**
 * The value of a pair of type `str`, `num`, `bool` or `json`. A number stays text, which keeps a leading zero.
 * @throws ValueError `notJson`
 */
export function literalOf({ value, type }: Pair, field: string): unknown {
  if (typeof value !== "string") return value;
  if (type === "bool") return value === "true" ? true : value === "false" ? false : value;
  return type === "json" ? fromJson(value, field) : value;
}

/** Refuses a value of the flow context for a node that belongs to no flow. Throws `ValueError`. */
export function checkFlow({ value, type }: Pair, field: string, flow: unknown): void {
  if (type === "flow" && isGiven(value) && !isGiven(flow)) throw new ValueError("config.noFlow", field, {}, DIALOG);
}

/**
 * Refuses what a tenant cannot read: a type that is none of `types`, and, as {@link checkFlow}, a flow that is not there.
 * Throws `ValueError`.
 */
export function checkTenantSource(pair: Pair, field: string, types: readonly unknown[], flow: unknown): void {
  if (!types.includes(pair.type)) throw new ValueError("input.badType", field, { value: pair.type }, DIALOG);
  checkFlow(pair, field, flow);
}

/**
 * The flow file's property for a field of the interface: its name in camel case, with `Kind` for a final `Type`, because
 * `toTypeType` would read as half of another pair.
 * `to.number` → `toNumber`, `answer_url` → `answerUrl`, `to.type` → `toKind`.
 */
export function propertyName(field: string): string {
  return field
    .replace(/([._])([a-z])/g, (_, _separator, letter: string) => letter.toUpperCase())
    .replace(/Type$/, "Kind");
}
