import { isGiven } from "../hours/untrusted";
import { ValueError } from "../hours/value-error";
import type { Field } from "./field";
import { checkValue } from "./kinds";
import { type ActionRow, actionOfRow } from "./kinds/action-row";
import { toText } from "./kinds/coerce";
import { toDialable } from "./kinds/phone-number";
import { literalOf, type Pair, textOfRow } from "./sources/property";

/** A typed input as the editor knows it: plain data, which the dialogs contain as JSON. */
export interface FieldNote extends Omit<Field, "check" | "given"> {
  /** The interface's name of a request field. A pair without one is off when it is absent. */
  readonly name?: string;
  /** The differences between the node's modes, by mode. */
  readonly modes?: Readonly<Record<string, FieldNote>>;
}

/** Returns what is known of a field in a mode of its node. Default: the first mode. */
export function noteInMode(note: FieldNote, mode: unknown): FieldNote {
  const { modes } = note;
  return modes?.[String(mode || Object.keys(modes)[0])] ?? note;
}

/**
 * Checks a number that is the same for every message, where it is known that it will be dialed: by the pair of its
 * `dialedBy`, or by the default of a pair that is read from its own path in the payload.
 * @throws ValueError
 */
export function checkNumber({ name = "" }: FieldNote, pair: Pair, typeNote: FieldNote, type: Pair | undefined): void {
  const number = toText(literalOf(pair, name), name);
  const isDefault = type === undefined || (type.type === "msg" && type.value === `payload.${typeNote.name}`);
  const known = isDefault || !isGiven(type.value) ? typeNote.default : isFixed(type) && toText(type.value, "");
  if (number !== undefined && known === "external") toDialable(number, name);
}

/** Whether a pair has the same value for every message. */
export function isFixed({ type }: Pair): boolean {
  return FIXED.includes(type);
}

const FIXED: readonly string[] = ["str", "num", "bool", "json", "list"];

/**
 * Checks a pair that is the same for every message, as the runtime does for each message.
 * @returns `undefined` when the field is not given
 * @throws ValueError
 */
export function checkPair(note: FieldNote, pair: Pair): unknown {
  const { property = "", name = property, required } = note;
  const isRows = note.kind === "actions" && pair.type === "list" && Array.isArray(pair.value);
  const raw = isRows ? checkableRows(pair.value, name) : isGiven(pair.value) ? literalOf(pair, name) : undefined;
  if (pair.type === "list" && note.kind !== "phoneList" && isGiven(raw) && !Array.isArray(raw))
    throw new ValueError("input.notList", name, { value: raw });
  const value = isGiven(raw) ? checkValue(note, raw, name) : undefined;
  if (value === undefined && required && note.default === undefined) throw new ValueError("input.missing", name);
  return value;
}

/**
 * The actions that rows of the dialog stand for, as far as they are known. Something stands for a text of the message.
 * @throws ValueError
 */
export function checkableRows(rows: readonly unknown[], field: string): unknown[] {
  return rows.map((row, index) => {
    const pair = textOfRow(row);
    const place = `${field}[${index}]`;
    const text = isFixed(pair) ? literalOf(pair, `${place}.text`) : pair.value && "…";
    return actionOfRow(row as ActionRow, place)(text);
  });
}
