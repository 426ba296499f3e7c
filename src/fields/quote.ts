import type { Word } from "./word";

const LONGEST_QUOTE = 60;

/** A value as an error may show it: one line, shortened, numbers that may be dialled masked. */
export function quote(value: unknown): string | Word {
  if (Array.isArray(value)) return { word: "list" };
  if (typeof value === "function") return { word: "function" };
  if (typeof value === "object" && value !== null) return { word: "object" };
  return unquoted(typeof value === "string" ? `"${value}"` : String(value));
}

/** A text that has marks of its own around it where it is shown. */
export function unquoted(text: string): string {
  const plain = maskNumbers(oneLine(text.slice(0, LONGEST_QUOTE * 2)));
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain;
}

/** What an error of somebody else's says; JSONata rejects with plain objects, and a getter may throw anything at all. */
export function reasonOf(error: unknown): string | Word {
  try {
    const text: unknown = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    return quote(String(text));
  } catch {
    return quote(error);
  }
}

/** Takes control characters and line separators out, so that a value cannot begin a line of its own in a log. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** A date as ISO 8601 writes it, with or without its time: as many digits as a phone number has, and plainly none. */
const MOMENT = String.raw`(?:19|20)\d\d-[01]\d-[0-3]\d(?:[Tt ]\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[+-]\d\d:?\d\d)?)?`;

/** What may be a phone number. Epoch milliseconds may be one as well: they have 13 digits, as 0084 901 234 567 has. */
const NUMBER = String.raw`\d(?:[ ().-]{0,3}\d){6,}`;

const MOMENT_OR_NUMBER = new RegExp(`(${MOMENT})(?![ ().-]{0,3}\\d)|${NUMBER}`, "g");

/**
 * Leaves the last three digits of whatever may be a phone number: errors that nobody catches end in the log. Dates stay,
 * since a wrong one cannot be mended unseen.
 */
export function maskNumbers(text: string): string {
  return text.replace(MOMENT_OR_NUMBER, (found: string, moment: string | undefined) => {
    if (moment !== undefined) return found;
    let masked = found.replace(/\D/g, "").length - 3;
    return found.replace(/\d/g, (digit) => (masked-- > 0 ? "•" : digit));
  });
}
