import type { Word } from "./word";

const LONGEST_QUOTE = 60;

/** A value as an error shows it: on one line, shortened, with phone numbers masked. */
export function quote(value: unknown): string | Word {
  if (Array.isArray(value)) return { word: "list" };
  if (typeof value === "function") return { word: "function" };
  if (typeof value === "object" && value !== null) return { word: "object" };
  return unquoted(typeof value === "string" ? `"${value}"` : String(value));
}

/** Shortens and masks like {@link quote}, for a text that already has quotation marks where it is shown. */
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

/** Replaces control characters and line separators, so that a value cannot begin a new line in a log, nor change what follows. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ");
}

/** A digit of any script, or an ASCII or full-width one that is percent-encoded in an address. */
const DIGIT = String.raw`(?:\p{Nd}|%3\d|%EF%BC%9\d)`;

/**
 * Up to three signs between two digits of a phone number: blanks of all widths, invisible ones, dashes, brackets and dots,
 * also full-width and percent-encoded. In a form, `+` is a blank.
 */
const PLAIN_SIGN = String.raw`[\s\p{Cf}\p{Pd}\u2212()（）.．・/／_＿+]`;
const ENCODED_SIGN = String.raw`(?!%EF%BC%9\d)%(?:09|2[089BDEF]|5F|[89A-F][\dA-F])`;
const SIGNS = `(?:${PLAIN_SIGN}|(?:${ENCODED_SIGN}){1,3}){0,3}`;

/** A date, with or without a time: ISO 8601, also percent-encoded, or as people write one. It has as many digits as a phone number. */
const DATE = String.raw`(?:(?:19|20)\d\d-[01]\d-[0-3]\d|(?:19|20)\d\d[/.][01]?\d[/.][0-3]?\d|[0-3]?\d[/-][0-3]?\d[/-](?:19|20)\d\d|[0-3]?\d\.[01]?\d\.(?:19|20)\d\d)`;
const COLON = "(?::|%3A)";
const TIME = String.raw`\d\d?${COLON}\d\d(?:${COLON}\d\d(?:[.,]\d{1,9})?)?(?:(?:[+-]|%2B)\d\d${COLON}?\d\d)?`;
const MOMENT = `${DATE}(?:[T _]${TIME})?`;
/** Digits after a date belong to a longer number, unless they begin the other date of a range. */
const MOMENT_ENDS = `(?:(?!${SIGNS}${DIGIT})|(?=[/ _]${DATE}))`;

/** A possible phone number. Epoch milliseconds also match: they have 13 digits, like 0084 901 234 567. */
const NUMBER = `${DIGIT}(?:${SIGNS}${DIGIT}){6,}`;

const MOMENT_OR_NUMBER = new RegExp(`(${MOMENT})${MOMENT_ENDS}|${NUMBER}`, "giu");
const SIGN_OR_DIGIT = new RegExp(`${ENCODED_SIGN}|(${DIGIT})`, "giu");

/**
 * Masks all but the last three digits of possible phone numbers, because uncaught errors are logged. Dates are not masked,
 * because a wrong date is hard to correct if it is not shown.
 */
export function maskNumbers(text: string): string {
  return text.replace(MOMENT_OR_NUMBER, (found: string, moment?: string) => moment ?? maskDigits(found));
}

/** Masks all but the last three digits of what is known to be a phone number, whatever else is between them. */
export function maskDigits(number: string): string {
  let masked = -3;
  for (const [, digit] of number.matchAll(SIGN_OR_DIGIT)) if (digit !== undefined) masked += 1;
  return number.replace(SIGN_OR_DIGIT, (sign: string, digit: string | undefined) =>
    digit === undefined || masked-- <= 0 ? sign : "•",
  );
}
