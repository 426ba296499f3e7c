import { ValueError } from "../../hours/value-error";
import type { Notice } from "../notice";
import { quote } from "../quote";
import { toText } from "./coerce";

/** The parts of one written phone number, independent of any country. */
interface WrittenNumber {
  readonly hasPlus: boolean;
  readonly hasExtension: boolean;
  /** Its digits without the extension. With a `(0)` behind other digits there are two readings, the first without that 0. */
  readonly readings: readonly string[];
}

const LONGEST = 4096;
/** What people paste in front of a number. */
const PREFIX = "tel(?:\\.:?|:)";
const LEADING = new RegExp(`^${PREFIX}`, "i");
const SEPARATOR = "[ ().\\/-]";
/** docs/contract/guard.md. More digits than those of an extension may be another number. */
const NUMBER = new RegExp(
  `^(?:${PREFIX})?((?:${SEPARATOR}*\\+)?[0-9 ().\\/-]*[0-9]${SEPARATOR}*)((?:;ext=|ext(?:ension|n)?\\.?:?|x|#) *[0-9]{1,7}[ )]*)?$`,
  "i",
);

/** pandas and R write numbers like this in a column with a gap. Without the dot, they would be other numbers. */
const DECIMAL = new RegExp(`^(?:${PREFIX})?[ (]*\\+?[0-9]+\\.0+[ )]*(?:$|[;,#xpw]|ext)`, "i");

/** Reads a text that is one phone number and nothing else; `undefined` for any other. */
export function readPhoneNumber(text: string): WrittenNumber | undefined {
  const plain = text.length <= LONGEST ? plainText(text) : "";
  const [, written, extension] = (!DECIMAL.test(plain) && NUMBER.exec(plain)) || [];
  if (written === undefined) return undefined;
  const [hasPlus, digits] = [written.includes("+"), digitsIn(written)];
  const [code = "", rest = "", ...more] = written.split(/\( *0 *\)/);
  // No calling code begins with 0.
  if ((hasPlus && digits.startsWith("0")) || more.length > 0) return undefined;
  const without = /[0-9]/.test(code) ? digitsIn(code + rest) : digits;
  return { hasPlus, hasExtension: extension !== undefined, readings: [...new Set([without, digits])] };
}

/** The signs of a number to dial, besides letters. */
const DIALED = /^[0-9+*#.()/,; \p{L}-]*$/u;
/** What may follow the digits of a number: an extension or the rest of a dial string. */
const REST = /[,;pwx]|ext|(?<=[0-9] *)#/i;
const MOST_DIGITS = 19;
/** More digits than E.164 allows are more than one number. */
export const LONGEST_E164 = 15;

/** Letters in a number to dial: those of an extension, and the pauses of a dial string. */
const DIALED_LETTERS = /^(?:ext(?:ension|n)?|x|[pw]+)$/i;

/**
 * Refuses a text that no phone can dial: with other signs than those of a number or a dial string, such as `0901… ::: 0902…`, or
 * with too many digits. Whatever `readPhoneNumber` reads is accepted.
 * @throws ValueError
 */
export function checkDialable(text: string, field: string): void {
  if (DECIMAL.test(plainText(text))) throw new ValueError("input.numberDecimal", field, { value: text });
  if (readPhoneNumber(text)?.readings.some(({ length }) => length <= LONGEST_E164)) return;
  checkCallable(text, field);
  const [number = ""] = withoutPrefix(text).split(REST);
  if (!DIALED.test(withoutPrefix(text)) || digitsIn(number).length > MOST_DIGITS)
    throw new ValueError("input.notDialable", field, { value: text });
}

/**
 * Refuses a text that is no number to call from: one without a digit, or with other letters than those of an extension or a dial
 * string. Our choice.
 * @throws ValueError
 */
export function checkCallable(text: string, field: string): void {
  const letters = withoutPrefix(text).match(/\p{L}+/gu) ?? [];
  if (!/[0-9]/.test(withoutPrefix(text)) || !letters.every((run) => DIALED_LETTERS.test(run)))
    throw new ValueError("input.notDialable", field, { value: text });
}

/** Reads the number of a hotline. Throws `ValueError`. */
export function toHotline(value: unknown, field: string): string | undefined {
  const number = toText(value, field);
  if (number !== undefined) checkCallable(number, field);
  return number;
}

function withoutPrefix(text: string): string {
  return plainText(text).replace(LEADING, "");
}

/** Without invisible characters, with digits of all scripts and full-width signs in ASCII, ordinary blanks and hyphens. */
export function plainText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.trim();
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit)
    .replace(/[\p{Zs}\t]/gu, " ")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .trim();
}

/** The digits of a script, or of several, stand one after the other from 0 to 9. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}

function digitsIn(text: string): string {
  return text.replace(/[^0-9]+/g, "");
}

const NOTHING: readonly Notice[] = [];

/**
 * Finds a number that may have lost a zero or a plus. A national number without its zero has 8 to 10 digits in most countries;
 * with a country code it has more. User ids and queues are shorter. A form turns a `+` that is not encoded into a blank. Our
 * choice.
 */
export function doubtfulNumber(raw: unknown, _: string, field: string): readonly Notice[] {
  const notice = (key: Notice["key"]) => [{ key, params: { field, value: quote(raw) }, reason: `${key} ${field}` }];
  if (typeof raw === "string") return /^ [1-9](?:[ ()./-]*[0-9]){9,}\s*$/.test(raw) ? notice("lostPlus") : NOTHING;
  return typeof raw === "number" && raw >= 1e7 && raw < 1e10 ? notice("lostZero") : NOTHING;
}
