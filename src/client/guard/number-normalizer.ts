import { digitsIn, LONGEST_E164, plainText, readPhoneNumber, splitTail } from "../../fields/kinds/phone-number";
import { EXIT_PREFIXES } from "./exit-prefixes";

interface Compared {
  readonly forms: readonly string[];
  /** Whether it is exactly one number: neither too long, nor two, and its extension is not the rest of it. */
  readonly isWhole: boolean;
  /** Whether it may be two, such as `0901234507/08`: networks ignore digits behind a whole number. */
  readonly hasTail: boolean;
  /** Whether the library finds it valid. */
  readonly isValid: boolean;
  /** The digits of its national form, each behind {@link NATIONAL}. */
  readonly national: readonly string[];
}

/** With `/` between all groups, as in `26/12/34/56`. */
const IN_GROUPS = /^[^0-9]*[0-9]{1,3}(?:\/[0-9]{1,3})+ *$/;
/** Marks digits as they are dialled within the country, which are compared with beginnings that are blocked. */
const NATIONAL = "n";
/** Fewer digits may be anything, unless the library finds them valid. */
export const SHORTEST = 7;
/** Up to four digits behind seven or more, which without a country is all that shows two numbers. */
const TAIL_OF_SEVEN = /(?:[0-9][^0-9/]*){7}(?:\/[ -]*| - +)[0-9]{1,4}(?![0-9])/;

/**
 * Phone numbers in one form for all spellings, for comparing only: the digits of the international number. What the library
 * does not find valid, such as emergency numbers and short codes, gets the calling code of the country.
 */
export class NumberNormalizer {
  /** Empty: numbers without a country code are compared by their digits. */
  readonly #country: string;
  readonly #callingCode: string;
  /** Matches what may be dialled before a number of another country. */
  readonly #exit: RegExp;
  /** Dialled before a number of the country, and no part of it. */
  readonly #trunk: string;
  readonly #withoutCountry: NumberNormalizer | undefined;
  /** Messages often have the same few numbers, and each is compared when it is accepted and when it is sent. */
  readonly #known = new Map<string, Compared>();

  /**
   * @param country ISO 3166, in capitals, known to the library
   * @param mostKnown how many numbers it remembers: reading one takes 20 to 40 µs
   */
  constructor(
    country: string,
    private readonly mostKnown = MOST_KNOWN,
  ) {
    this.#country = country;
    this.#callingCode = country === "" ? "" : String(library().getCountryCodeForRegionCode(country));
    this.#exit = new RegExp(`^(?:00|${EXIT_PREFIXES[country] ?? (this.#callingCode === "1" ? "011" : "00")})$`);
    this.#trunk = country === "" ? "" : trunkOf(country);
    this.#withoutCountry = country === "" ? undefined : new NumberNormalizer("");
  }

  /** The forms of a number: none if it cannot be read as one number, several if it may be any of these. */
  formsOf(number: string): readonly string[] {
    const { forms, isWhole } = this.read(number);
    return isWhole ? forms : [];
  }

  mayBeTwo(number: string): boolean {
    return this.#country === "" ? TAIL_OF_SEVEN.test(plainText(number)) : this.read(number).hasTail;
  }

  /** Whether a text is one number to call: neither two, nor a dial string, nor a few digits that are no valid number. */
  isOneNumber(number: string): boolean {
    const [digits = ""] = readPhoneNumber(number)?.readings ?? [];
    const { isValid, isWhole } = this.read(number);
    const isLong = (digits.length >= SHORTEST && digits.length <= LONGEST_E164) || isValid;
    return isLong && isWhole && !this.mayBeTwo(number);
  }

  /** Whether a number is valid only without the 0 in front with which it is written in the country: a spreadsheet has removed it. */
  lacksZero(number: string): boolean {
    const { hasPlus = true, readings = [] } = readPhoneNumber(number) ?? {};
    const { isValid, national } = this.read(number);
    return isValid && !hasPlus && readings.some((digits) => national.includes(`${NATIONAL}0${digits}`));
  }

  /**
   * The forms of the beginning of numbers. None, if it would be the beginning of every number.
   * @param everyReading behind each exit prefix that leaves a calling code, not behind the shortest only, and the national one
   */
  formsOfBeginning(text: string, everyReading = false): readonly string[] {
    const { hasPlus = false, readings = [] } = readPhoneNumber(text) ?? {};
    const begins = (digits: string) => {
      const abroad = hasPlus ? [digits] : this.#abroad(digits);
      const coded = abroad.filter((each) => this.#codeOf(each) !== undefined);
      if (abroad.length === 0) return [this.#international(digits)];
      return coded.length === 0 ? abroad.slice(0, 1) : everyReading ? coded : coded.slice(-1);
    };
    const forms = formsIn(readings.flatMap(begins).map((digits) => this.#withoutTrunk(digits)));
    const isNational = everyReading && !hasPlus && this.#country !== "" && forms.length > 0;
    return isNational ? [...forms, ...readings.map((digits) => NATIONAL + digits)] : forms;
  }

  /** Lists a number's forms with this country, without one, and as it is dialled within it: those that all countries have in common. */
  formsInAnyCountry(number: string): readonly string[] {
    const { forms } = this.read(number);
    const [code, withoutCountry] = [this.#callingCode, this.#withoutCountry];
    if (!withoutCountry || forms.length === 0) return forms;
    const national = forms.filter((form) => form.startsWith(code)).map((form) => this.#trunk + form.slice(code.length));
    return [...new Set([...forms, ...national, ...withoutCountry.formsOf(number)])];
  }

  /** Reads a number once for all comparisons. */
  read(number: string): Compared {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const { hasPlus = false, hasExtension = false, written = "", readings = [] } = readPhoneNumber(number) ?? {};
    const counting = readings.map((digits) => this.#counting(digits, hasPlus));
    const isValid = counting.some(([first]) => first?.isValid);
    const [digits = ""] = readings;
    // What the library cannot find valid may be a number: a short code, or any number without a country.
    const hasPrefix = hasPlus || this.#abroad(digits).length > 0 || (this.#trunk && digits.startsWith(this.#trunk));
    const mayBeWhole = (this.#country === "" || !hasPrefix) && digits.length >= 7;
    const forms = formsIn(counting.flat().map(({ form }) => form));
    const hasTail = this.#country !== "" && digits.length <= 2 * LONGEST_E164 && this.#hasTail(written, isValid);
    const isTooLong = !isValid && counting.every(([first]) => first?.isTooLong);
    const isWhole = !hasTail && !isTooLong && (!hasExtension || isValid || mayBeWhole);
    const national = counting.flat().flatMap((each) => (each.national ? [NATIONAL + each.national] : []));
    const read = { forms, isWhole, hasTail, isValid, national };
    if (this.#known.size >= this.mostKnown) this.#known.clear();
    if (number.length <= LONGEST_KNOWN) this.#known.set(number, read);
    return read;
  }

  /** Whether a valid number stands before the last digits: behind a slash always, else if they make it invalid. */
  #hasTail(written: string, isValid: boolean): boolean {
    const isOrdinary = isValid && (!written.includes("/") || IN_GROUPS.test(written));
    const tail = isOrdinary ? undefined : splitTail(written);
    if (!tail) return false;
    const isSecond = (!isValid || tail.signs.includes("/")) && this.#isValid(tail.before);
    return isSecond || this.#hasTail(tail.before, isValid);
  }

  #isValid(number: string): boolean {
    const { hasPlus = false, readings = [] } = readPhoneNumber(number) ?? {};
    return readings.some((digits) => this.#counting(digits, hasPlus)[0]?.isValid);
  }

  /** The readings that count: all valid ones, or else the one behind the longest exit prefix. */
  #counting(digits: string, hasPlus: boolean) {
    const abroad = hasPlus ? [digits] : this.#abroad(digits);
    const readings = abroad.map((each) => this.#parse([`+${each}`, `+${this.#withoutTrunk(each)}`]));
    // No national number begins with 00, but the library reads it as one with a trunk prefix twice.
    if (!hasPlus && (abroad.length === 0 || !digits.startsWith("00")))
      readings.push(this.#national(digits, abroad.length > 0));
    const valid = readings.filter(({ isValid }) => isValid);
    return valid.length > 0 ? valid : readings.slice(0, 1);
  }

  #national(digits: string, hasExit: boolean) {
    if (this.#country === "") return { form: digits, isValid: false, isTooLong: false, national: "" };
    return this.#parse([
      // Where national numbers begin with 0, a number that begins with the calling code is international.
      ...(this.#trunk !== "" && digits.startsWith(this.#callingCode) ? [`+${digits}`] : []),
      // The library would take the exit prefix away.
      ...(hasExit ? [] : [digits]),
      // The library takes a calling code without a plus for what it is only in valid numbers.
      `+${this.#withoutTrunk(this.#international(digits))}`,
    ]);
  }

  /** The first text that is a valid number, or else the last one, which has a plus. */
  #parse(texts: readonly string[]) {
    const options = this.#country === "" ? {} : { regionCode: this.#country };
    let parsed = { form: "", isValid: false, isTooLong: false, national: "" };
    for (const text of new Set(texts)) {
      const { valid, possibility, countryCode, number } = library().parsePhoneNumber(text, options);
      const form = (number?.e164 ?? text).replace("+", "");
      const isHome = String(countryCode) === this.#callingCode;
      const national = isHome ? digitsIn(number?.national ?? "") : "";
      const isTooLong = this.#country !== "" && possibility === "too-long";
      parsed = { form, isValid: valid, isTooLong, national };
      if (valid) break;
    }
    return parsed;
  }

  /** The digits behind each exit prefix, the longest first; empty where no number can follow. */
  #abroad(digits: string): readonly string[] {
    // Nothing but zeros is no prefix: three of them are an emergency number, ten a number that cannot be dialled.
    if (/^0{3,}$/.test(digits)) return [];
    const prefixes = [8, 7, 6, 5, 4, 3, 2, 1].map((length) => digits.slice(0, length));
    const exits = [...new Set(prefixes)].filter((prefix) => this.#exit.test(prefix));
    return exits.map(({ length }) => (digits[length] === "0" ? "" : digits.slice(length)));
  }

  /** The digits of a national number as they continue the calling code; without a country, the digits. */
  #international(digits: string): string {
    if (this.#country === "") return digits;
    if (this.#trunk !== "" && digits.startsWith(this.#trunk))
      return this.#callingCode + digits.slice(this.#trunk.length);
    return digits.startsWith(this.#callingCode) ? digits : this.#callingCode + digits;
  }

  /** Removes the trunk prefix: `+84 0113` is `+84 113`. Where 0 is dialled before all numbers of the country, none begins with it. */
  #withoutTrunk(digits: string): string {
    const code = this.#codeOf(digits);
    if (code === undefined || digits[code.length] !== "0") return digits;
    const trunk = code === this.#callingCode ? this.#trunk : trunkOf(regionOf(code));
    const hasTrunk = trunk.startsWith("0") && digits.startsWith(trunk, code.length);
    return hasTrunk ? code + digits.slice(code.length + trunk.length) : digits;
  }

  /** The calling code with which the digits begin. */
  #codeOf(digits: string): string | undefined {
    const beginnings = [1, 2, 3].map((length) => digits.slice(0, length));
    return beginnings.find((each) => regionOf(each) !== "");
  }
}

/** Whether the library knows a country. */
export function isCountry(country: string): boolean {
  return library().getCountryCodeForRegionCode(country) > 0;
}

const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 100;

let loaded: typeof import("awesome-phonenumber") | undefined;

/** Loads the library with the first number that is compared, and keeps it: `require` may look for its files at each call. */
function library() {
  loaded ??= require("awesome-phonenumber") as typeof import("awesome-phonenumber");
  return loaded;
}

/** Lists all forms, once. None if one of them is no number. */
function formsIn(forms: readonly string[]): readonly string[] {
  return forms.every(({ length }) => length > 0 && length <= LONGEST_E164) ? [...new Set(forms)] : [];
}

/** The country of a calling code, one of them if it has several; empty for other digits. */
function regionOf(callingCode: string): string {
  const country = library().getRegionCodeForCountryCode(Number(callingCode));
  return isCountry(country) ? country : "";
}

/** Finds the trunk prefix: `0` in most countries, also none. The library shows it in national numbers, or takes it in front of them. */
function trunkOf(regionCode: string): string {
  const { getExample, parsePhoneNumber } = library();
  for (const type of ["fixed-line", "mobile"] as const) {
    const { number } = getExample(regionCode, type);
    const [national = "", significant = ""] = [number?.national, number?.significant].map((text) =>
      digitsIn(text ?? ""),
    );
    if (significant === "") continue;
    if (national.length > significant.length && national.endsWith(significant))
      return national.slice(0, -significant.length);
    if (parsePhoneNumber(`0${significant}`, { regionCode }).number?.e164 === number?.e164) return "0";
  }
  return "";
}
