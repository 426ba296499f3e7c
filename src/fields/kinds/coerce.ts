import { booleanIn, isGiven } from "../../hours/untrusted";
import { ValueError, type ValueKey } from "../../hours/value-error";
import { isObject } from "../../json/rules";
import type { Word } from "../word";

/** Longest text of a request, in UTF-16 units. Our choice: the interface documents no limit. */
const LONGEST_TEXT = 4096;
export const LONGEST_SPOKEN_TEXT = 20_000;

/** Whether a value is not given or only white space. */
export function isBlank(value: unknown): boolean {
  return !isGiven(typeof value === "string" ? value.trim() : value);
}

/**
 * Reads a text as the request contains it: trimmed, never reformatted. A number becomes its digits if none of them can
 * have been lost. Half a surrogate pair becomes U+FFFD.
 * @returns `undefined` when the value is blank
 */
export function toText(value: unknown, field: string): string | undefined {
  const text = readText(value, field, LONGEST_TEXT);
  const control = text === undefined ? undefined : /\p{Cc}/u.exec(text)?.[0];
  if (control !== undefined) refuseControl(control, text, field);
  return text;
}

/** Reads a name, in which line breaks are blanks. */
export function toName(value: unknown, field: string): string | undefined {
  return toText(typeof value === "string" ? value.replace(/[\r\n\u2028\u2029]+/g, " ") : value, field);
}

/** Reads a text to speak. Control characters that are no line break become blanks, since no voice speaks them. */
export function toSpokenText(value: unknown, field: string): string | undefined {
  const audible = typeof value === "string" ? value.replace(/[^\P{Cc}\r\n\0]/gu, " ") : value;
  const text = readText(audible, field, LONGEST_SPOKEN_TEXT);
  if (text?.includes("\0")) refuseControl("\0", text, field);
  return text;
}

function readText(value: unknown, field: string, longest: number): string | undefined {
  let text: string;
  // Strict JSON decoders refuse half surrogate pairs.
  if (typeof value === "string") text = value.trim().toWellFormed();
  else if (!isGiven(value)) return undefined;
  else if (typeof value === "bigint") text = String(value);
  else if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new ValueError("input.unsafeNumber", field, { value });
    text = String(value);
  } else throw new ValueError("input.notText", field, { value });
  if (text.length > longest) throw new ValueError("input.tooLong", field, { length: text.length, longest });
  return text === "" ? undefined : text;
}

function refuseControl(control: string, value: string | undefined, field: string): never {
  throw new ValueError("input.controlCharacters", field, { value, character: nameOf(control) });
}

/** A control character is invisible, so an error shows its name. */
function nameOf(control: string): string | Word {
  if (control === "\t") return { word: "tab" };
  if (control === "\n" || control === "\r") return { word: "lineBreak" };
  return `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A finite number, from a number or its decimal text. */
export function toNumber(value: unknown, field: string): number | undefined {
  if (isBlank(value)) return undefined;
  const number =
    typeof value === "number"
      ? value
      : typeof value === "string" && value.length < 64 && DECIMAL.test(value.trim())
        ? Number(value)
        : Number.NaN;
  if (!Number.isFinite(number)) throw new ValueError("input.notNumber", field, { value });
  return number;
}

export function toWholeNumber(value: unknown, field: string, least: number): number | undefined {
  const number = toNumber(value, field);
  if (number !== undefined && !(Number.isSafeInteger(number) && number >= least)) {
    throw new ValueError("input.notWholeNumber", field, { value, least });
  }
  return number;
}

export function toBoolean(value: unknown, field: string): boolean | undefined {
  if (isBlank(value)) return undefined;
  const boolean = booleanIn(value);
  if (boolean === undefined) throw new ValueError("input.notBoolean", field, { value });
  return boolean;
}

export function toChoice(value: unknown, field: string, choices: readonly string[]): string | undefined {
  const text = toText(value, field);
  if (text === undefined || choices.includes(text)) return text;
  throw new ValueError("input.notChoice", field, { value: text, choices: choices.join(", ") });
}

/** An id in a path: 1 to 18 digits. */
export function toId(value: unknown, field: string): string | undefined {
  const text = toText(value, field);
  if (text === undefined || /^\d{1,18}$/.test(text)) return text;
  throw new ValueError("input.notId", field, { value: text });
}

/** An absolute http or https address, as it is written. */
export function toWebAddress(value: unknown, field: string): string | undefined {
  const text = toText(value, field);
  if (text === undefined || (/^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text))) return text;
  throw new ValueError("input.notWebAddress", field, { value: text });
}

/** A list or its JSON text. An empty list means "not given". */
export function toList(value: unknown, field: string): unknown[] | undefined {
  if (isBlank(value)) return undefined;
  const list = typeof value === "string" ? fromJson(value, field, "input.notJsonList") : value;
  if (!isGiven(list)) return undefined;
  if (!Array.isArray(list)) throw new ValueError("input.notList", field, { value });
  if (list.length > LONGEST_LIST)
    throw new ValueError("input.tooMany", field, { count: list.length, most: LONGEST_LIST });
  return list.length === 0 ? undefined : list;
}

const LONGEST_LIST = 100;

/** Reads a value from its JSON text. Throws `ValueError`. */
export function fromJson(text: string, field: string, key: ValueKey = "input.notJson"): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ValueError(key, field, { value: text });
  }
}

/** An object with members that a message chooses, no list. Throws `ValueError`. */
export function toObject(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new ValueError("input.notObject", field, { value });
}

/** Keys that a path must never follow, because they lead out of the data to JavaScript's own objects. */
export const FORBIDDEN_KEYS: ReadonlySet<unknown> = new Set(["__proto__", "constructor", "prototype"]);
