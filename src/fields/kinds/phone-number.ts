import { ValueError } from "../../hours/value-error";

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
const SEPARATOR = "[ ().\\/-]";
/** docs/contract.md#guard. More digits than those of an extension may be another number. */
const NUMBER = new RegExp(
  `^(?:${PREFIX})?((?:${SEPARATOR}*\\+)?[0-9 ().\\/-]*[0-9]${SEPARATOR}*)((?:;ext=|ext(?:ension|n)?\\.?:?|x|#) *[0-9]{1,7}[ )]*)?$`,
  "i",
);

/** Reads a text that is one phone number and nothing else; `undefined` for any other. */
export function readPhoneNumber(text: string): WrittenNumber | undefined {
  const [, written, extension] = (text.length <= LONGEST && NUMBER.exec(plainText(text))) || [];
  if (written === undefined) return undefined;
  const [hasPlus, digits] = [written.includes("+"), digitsIn(written)];
  const [code = "", rest = "", ...more] = written.split(/\( *0 *\)/);
  // No calling code begins with 0.
  if ((hasPlus && digits.startsWith("0")) || more.length > 0) return undefined;
  const without = /[0-9]/.test(code) ? digitsIn(code + rest) : digits;
  return { hasPlus, hasExtension: extension !== undefined, readings: [...new Set([without, digits])] };
}

/** Letters in a number to dial: those of an extension, and the pauses of a dial string. */
const DIALED_LETTERS = /^(?:ext(?:ension|n)?|x|[pw]+)$/i;

/**
 * Refuses a text that no phone can dial: one without a digit, or with other letters. Whatever `readPhoneNumber` reads is
 * accepted.
 * @throws ValueError
 */
export function checkDialable(text: string, field: string): void {
  const plain = plainText(text).replace(new RegExp(`^${PREFIX}`, "i"), "");
  const letters = plain.match(/\p{L}+/gu) ?? [];
  if (!/[0-9]/.test(plain) || !letters.every((run) => DIALED_LETTERS.test(run)))
    throw new ValueError("input.notDialable", field, { value: text });
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
