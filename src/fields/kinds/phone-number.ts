import { ValueError } from "../../hours/value-error";
import type { Notice } from "../notice";
import { quote } from "../quote";
import { toText } from "./coerce";

/** The parts of one written phone number, independent of any country. */
interface WrittenNumber {
  readonly hasPlus: boolean;
  readonly hasExtension: boolean;
  /** As it is written, without the extension. */
  readonly written: string;
  /** Its digits without the extension. With a `(0)` behind other digits there are two readings, the first without that 0. */
  readonly readings: readonly string[];
}

const LONGEST = 4096;
/** The text that people paste in front of a number. */
const PREFIX = "(?:tel(?:\\.:?|:)|p:)";
const LEADING = new RegExp(`^${PREFIX}`, "i");
const SEPARATOR = "[ ().\\/-]";
/** docs/contract/guard.md. More digits than those of an extension may be another number. */
const NUMBER = new RegExp(
  `^${PREFIX}?((?:${SEPARATOR}*\\+)?[0-9 ().\\/-]*[0-9]${SEPARATOR}*)((?:;ext=|ext(?:ension|n)?\\.?:?|x|#) *[0-9]{1,7}[ )]*)?$`,
  "i",
);

/** pandas and R write numbers like this in a column with a gap. Without the dot, they would be other numbers. */
const DECIMAL = new RegExp(`^${PREFIX}?[ (]*\\+?[0-9]+\\.0+[ )]*(?:$|[;,#xpw]|ext)`, "i");

/** Reads a text that is one phone number and nothing else; `undefined` for any other. */
export function readPhoneNumber(text: string): WrittenNumber | undefined {
  return text.length <= LONGEST ? readPlain(plainText(text)) : undefined;
}

function readPlain(plain: string): WrittenNumber | undefined {
  const [, written, extension] = (!DECIMAL.test(plain) && NUMBER.exec(plain)) || [];
  if (written === undefined) return undefined;
  const [hasPlus, digits] = [written.includes("+"), digitsIn(written)];
  const [code = "", rest = "", ...more] = written.split(/\( *0 *\)/);
  // No calling code begins with 0.
  if ((hasPlus && digits.startsWith("0")) || more.length > 0) return undefined;
  const without = /[0-9]/.test(code) ? digitsIn(code + rest) : digits;
  const readings = without === digits ? [digits] : [without, digits];
  return { hasPlus, hasExtension: extension !== undefined, written, readings };
}

/** One to four digits behind others, at the end: the rest of a number, or that of a second one. */
const TAIL = new RegExp(`^(.*[0-9])(${SEPARATOR}+)[0-9]{1,4}${SEPARATOR}*$`);

/** Divides a written number before its last digits: `030 123456` and `/-` for `030 123456/-11`. */
export function splitTail(written: string): { readonly before: string; readonly signs: string } | undefined {
  const [, before = "", signs = ""] = TAIL.exec(written) ?? [];
  return before === "" ? undefined : { before, signs };
}

/** The signs of a number to dial, besides letters. */
const DIALED = /^[0-9+*#.()/,; \p{L}-]*$/u;
/** The text that may follow the digits of a number: an extension or the rest of a dial string. */
const REST = /[,;pwx]|ext|(?<=[0-9] *)#/i;
const MOST_DIGITS = 19;
/** More digits than E.164 allows are more than one number. */
export const LONGEST_E164 = 15;

/** Letters in a number to dial: those of an extension, and the pauses of a dial string. */
const DIALED_LETTERS = /^(?:ext(?:ension|n)?|x|[pw]+)$/i;

/**
 * Reads a number to dial as a request contains it: digits and plus in ASCII, nothing in front of it, nothing invisible, all else
 * as given. Refuses a text that no phone can dial: with other signs than those of a number or a dial string, such as
 * `0901… ::: 0902…`, or with too many digits. Whatever `readPhoneNumber` reads is accepted.
 * @throws ValueError
 */
export function toDialable(text: string, field: string): string {
  const plain = plainText(text);
  if (DECIMAL.test(plain)) throw new ValueError("input.numberDecimal", field, { value: text });
  if (!readPlain(plain)?.readings.some(({ length }) => length <= LONGEST_E164)) {
    checkCallable(text, field);
    const dialed = plain.replace(LEADING, "");
    const [number = ""] = dialed.split(REST);
    if (!DIALED.test(dialed) || digitsIn(number).length > MOST_DIGITS)
      throw new ValueError("input.notDialable", field, { value: text });
  }
  const [prefix = ""] = LEADING.exec(plain) ?? [];
  const visible = text.replace(INVISIBLE, "").trim().slice(prefix.length).trim();
  return visible.replace(OTHER_DIGITS, asciiDigit).replaceAll("\uff0b", "+");
}

/**
 * Refuses a text that is no number to call from: one without a digit, or with other letters than those of an extension or a dial
 * string. Our choice.
 * @throws ValueError
 */
function checkCallable(text: string, field: string): void {
  const number = plainText(text).replace(LEADING, "");
  const letters = number.match(/\p{L}+/gu) ?? [];
  if (!/[0-9]/.test(number) || !letters.every((run) => DIALED_LETTERS.test(run)))
    throw new ValueError("input.notDialable", field, { value: text });
}

/** Reads the number of a hotline. Throws `ValueError`. */
export function toHotline(value: unknown, field: string): string | undefined {
  const number = toText(value, field);
  if (number !== undefined) checkCallable(number, field);
  return number;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;

/** Removes invisible characters; makes digits of all scripts and full-width signs ASCII, and blanks and hyphens ordinary ones. */
export function plainText(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.trim();
  return text
    .replace(INVISIBLE, "")
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(OTHER_DIGITS, asciiDigit)
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

export function digitsIn(text: string): string {
  return text.replace(/[^0-9]+/g, "");
}

const NOTHING: readonly Notice[] = [];

/** A check of whether a number to call may be two, such as `0901234507/08`, and nothing refuses it. */
export type MayBeTwo = ((number: string) => boolean) | undefined;

/**
 * Finds a number that may have lost a zero or a plus, or may be two. A national number without its zero has 8 to 10 digits in
 * most countries; with a country code it has more. User ids and queues are shorter. A form turns a `+` that is not encoded into a
 * blank. Our choice.
 */
export function doubtfulNumber(raw: unknown, sent: string, field: string, mayBeTwo?: MayBeTwo): readonly Notice[] {
  const notice = (key: Notice["key"]) => [{ key, params: { field, value: quote(raw) }, reason: `${key} ${field}` }];
  if (/[0-9][^0-9]+[0-9]/.test(sent) && mayBeTwo?.(sent)) return notice("mayBeTwo");
  if (typeof raw === "string") return /^ [1-9](?:[ ()./-]*[0-9]){9,}\s*$/.test(raw) ? notice("lostPlus") : NOTHING;
  return typeof raw === "number" && raw >= 1e7 && raw < 1e10 ? notice("lostZero") : NOTHING;
}
