import { ValueError } from "../../hours/value-error";
import { fromJson } from "./coerce";
import { plainText, readPhoneNumber } from "./phone-number";

/** Most entries of a list of phone numbers, and longest text of one. Our choice. */
export const MAX_ENTRIES = 100_000;
export const LONGEST_ENTRY = 100;

/**
 * Reads a list of phone numbers, of which those that end in `*` are beginnings: a list of texts, numbers or objects with a
 * `number`, its JSON text, or a text with commas, semicolons or line breaks between the numbers.
 * @throws ValueError
 */
export function toPhoneList(value: unknown, field: string): readonly string[] {
  return listOf(value, field).map((entry, index) => toEntry(entry, `${field}[${index}]`));
}

/** The entries of a list of phone numbers, unchecked. Throws `ValueError`. */
export function listOf(value: unknown, field: string): readonly unknown[] {
  const list = typeof value === "string" ? listInText(value, field) : isNumeric(value) ? [value] : value;
  if (!Array.isArray(list)) throw new ValueError("input.notList", field, { value });
  return list.length > MAX_ENTRIES ? tooMany(field) : list;
}

/** An entry as text. Anything that is no number stays what it is. */
export function textOfEntry(entry: unknown): unknown {
  const isObject = typeof entry === "object" && entry !== null && Object.hasOwn(entry, "number");
  const given = isObject ? (entry as { readonly number: unknown }).number : entry;
  return isNumeric(given) ? String(given) : given;
}

/** Reads one entry as plain text: a readable number, or the beginning of one with `*` behind it. A lone `*` means every number. */
export function toEntry(entry: unknown, field: string): string {
  const text = textOfEntry(entry);
  if (typeof text === "string" && text.length <= LONGEST_ENTRY) {
    const plain = plainText(text);
    const isBeginning = plain.endsWith("*");
    const number = readPhoneNumber(isBeginning ? plain.slice(0, -1) : plain);
    if (plain === "*" || (number && !(isBeginning && number.hasExtension))) return plain;
  }
  throw new ValueError("input.notPhoneNumber", field, { value: text });
}

function isNumeric(value: unknown): boolean {
  return typeof value === "bigint" || (Number.isSafeInteger(value) && Number(value) >= 0);
}

function listInText(text: string, field: string): unknown {
  if (text.length > MAX_ENTRIES * LONGEST_ENTRY) return tooMany(field);
  if (/^\s*\[/.test(text)) return fromJson(text, field);
  return text.split(/[,;\r\n]/).filter((entry) => entry.trim() !== "");
}

function tooMany(field: string): never {
  throw new ValueError("input.hours.listLong", field, { most: MAX_ENTRIES });
}
