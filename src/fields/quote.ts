import type { Word } from "./word";

const LONGEST_QUOTE = 60;

/** A value as an error shows it: on one line, shortened, with phone numbers masked. */
export function quote(value: unknown): string | Word {
  if (Array.isArray(value)) return { word: "list" };
  if (typeof value === "function") return { word: "function" };
  if (typeof value === "object" && value !== null) return { word: "object" };
  return unquoted(typeof value === "string" ? `"${value}"` : String(value));
}

/** Like {@link quote}, for a text that already has quotation marks where it is shown. */
export function unquoted(text: string): string {
  const plain = maskNumbers(oneLine(text.slice(0, LONGEST_QUOTE * 2)));
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain;
}

/** The message of a foreign error. JSONata rejects with plain objects, and a getter may throw any value. */
export function reasonOf(error: unknown): string | Word {
  try {
    const text: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    return quote(String(text));
  } catch {
    return quote(error);
  }
}

/** Replaces control characters and line separators, so that a value cannot begin a new line in a log. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** An ISO 8601 date, with or without a time. It has as many digits as a phone number. */
const MOMENT = String.raw`(?:19|20)\d\d-[01]\d-[0-3]\d(?:[Tt ]\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[+-]\d\d:?\d\d)?)?`;

/** A possible phone number. Epoch milliseconds also match: they have 13 digits, like 0084 901 234 567. */
const NUMBER = String.raw`\d(?:[ ().-]{0,3}\d){6,}`;

const MOMENT_OR_NUMBER = new RegExp(`(${MOMENT})(?![ ().-]{0,3}\\d)|${NUMBER}`, "g");

/**
 * Masks all but the last three digits of possible phone numbers, because uncaught errors are logged. Dates are not masked,
 * because a wrong date is hard to correct if it is not shown.
 */
export function maskNumbers(text: string): string {
  return text.replace(MOMENT_OR_NUMBER, (found: string, moment: string | undefined) => {
    if (moment !== undefined) return found;
    let masked = found.replace(/\D/g, "").length - 3;
    return found.replace(/\d/g, (digit) => (masked-- > 0 ? "•" : digit));
  });
}
