import { LONGEST_ENTRY } from "../../fields/kinds/phone-list";
import { digitsIn, LONGEST_E164, plainText, splitTail } from "../../fields/kinds/phone-number";
import { type NumberNormalizer, SHORTEST } from "./number-normalizer";

/** Marks digits that are compared where a number cannot be read. */
export const DIGITS = "d";
/** The beginning of an extension, or of the rest of a dial string. */
const DIAL_STRING = /ext|[,;pwx#]/i;

/** The forms of a number, and its digits in all ways in which a number that cannot be read may contain them. */
export function marksOf(number: string, normalizer: NumberNormalizer | undefined): readonly string[] {
  const { forms = [] } = normalizer?.read(number) ?? {};
  const digits = [digitsIn(number), ...(normalizer?.formsInAnyCountry(number) ?? [])];
  return [...new Set([...forms, ...digits.map((each) => DIGITS + each)])];
}

/** The forms of a number. Of a text that is not exactly one, all that a network may ring: its beginnings, and any digits in a row. */
export function marksOfCall(number: string, normalizer: NumberNormalizer | undefined): readonly string[] {
  const plain = plainText(number);
  const formsOf = (text: string) => (text.length <= LONGEST_ENTRY && normalizer?.formsOf(text)) || [];
  const forms = formsOf(plain);
  if (forms.length > 0 && !normalizer?.mayBeTwo(plain)) return forms;
  const [first = ""] = plain.split(DIAL_STRING, 1);
  const marks = [...forms, ...formsOf(first)];
  for (let tail = splitTail(first); tail && digitsIn(tail.before).length >= SHORTEST; tail = splitTail(tail.before))
    marks.push(...formsOf(tail.before));
  const digits = digitsIn(plain);
  marks.push(DIGITS + digits, DIGITS + digitsIn(first));
  for (let from = 0; from <= Math.min(digits.length, LONGEST_ENTRY) - SHORTEST; from++)
    for (let length = SHORTEST; length <= LONGEST_E164; length++)
      marks.push(DIGITS + digits.slice(from, from + length));
  return [...new Set(marks)];
}
