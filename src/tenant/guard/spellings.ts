/**
 * Phone numbers in one form for all spellings, for comparing only: the digits of the international number. What the library
 * does not find valid, such as emergency numbers and short codes, gets the calling code of the country.
 */
export class Spellings {
  readonly #library: Library;
  /** Empty: numbers without a country code are compared by their digits. */
  readonly #country: string;
  readonly #callingCode: string;
  /** What is dialled before a number of another country. */
  readonly #exit: string;
  /** What is dialled before a number of the country, and does not belong to it. */
  readonly #trunk: string;
  /** Messages often have the same few numbers, and each is compared when it is accepted and when it is sent. */
  readonly #known = new Map<string, string>();

  /** @param country ISO 3166, in capitals, known to the library */
  constructor(country: string) {
    this.#library = library();
    this.#country = country;
    this.#callingCode = country === "" ? "" : String(this.#library.getCountryCodeForRegionCode(country));
    this.#exit = country === "" ? "" : exitOf(this.#library, country);
    this.#trunk = country === "" ? "" : trunkOf(this.#library, country);
  }

  /** A number in its one form; empty if it has no digit. */
  of(number: string): string {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const form = this.#formOf(number);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (number.length <= LONGEST_PARSED) this.#known.set(number, form);
    return form;
  }

  /** The beginning of numbers in their one form. Empty: it would be the beginning of every number. */
  ofBeginning(text: string): string {
    const plain = plainDigits(text.slice(0, LONGEST));
    const digits = digitsIn(plain);
    return isInternational(plain) ? digits : this.#international(digits);
  }

  #formOf(number: string): string {
    const plain = plainDigits(number.slice(0, LONGEST));
    const digits = digitsIn(plain);
    const hasPlus = isInternational(plain);
    if (digits === "" || (!hasPlus && this.#country === "")) return digits;
    const text = plain.length <= LONGEST_PARSED ? plain : (hasPlus ? "+" : "") + digits;
    // Where national numbers begin with 0, a number that begins with the calling code is international.
    const isWritten = !hasPlus && this.#trunk !== "" && digits.startsWith(this.#callingCode);
    const written = isWritten ? this.#read(text.replace(/\d/, "+$&")) : undefined;
    if (written?.valid) return written.digits;
    const read = this.#read(text);
    if (read?.valid) return read.digits;
    if (hasPlus) return this.#withoutTrunk(digits, read);
    // The library takes a calling code without a plus for what it is only in valid numbers.
    const international = this.#international(digits);
    const again = this.#read(`+${international}`);
    return again?.valid ? again.digits : this.#withoutTrunk(international, again);
  }

  #read(text: string): Read | undefined {
    const regionCode = this.#country;
    const { valid, number, countryCode } = this.#library.parsePhoneNumber(
      text,
      regionCode === "" ? {} : { regionCode },
    );
    if (number?.e164 === undefined || countryCode === undefined) return undefined;
    return { valid, digits: digitsIn(number.e164), callingCode: String(countryCode) };
  }

  /** The digits as they continue the calling code; without a country, the digits. */
  #international(digits: string): string {
    if (this.#country === "") return digits;
    if (digits.startsWith(this.#exit)) return digits.slice(this.#exit.length);
    if (this.#trunk !== "" && digits.startsWith(this.#trunk))
      return this.#callingCode + digits.slice(this.#trunk.length);
    return digits.startsWith(this.#callingCode) ? digits : this.#callingCode + digits;
  }

  /** `+84 (0)113` is `+84 113`. Where 0 is dialled before all numbers of the country, none begins with it. */
  #withoutTrunk(digits: string, read: Read | undefined): string {
    const code = read?.callingCode ?? this.#callingCode;
    const form = read?.digits ?? digits;
    return form.startsWith(`${code}0`) && this.#trunkOf(code) === "0" ? code + form.slice(code.length + 1) : form;
  }

  #trunkOf(callingCode: string): string {
    if (callingCode === this.#callingCode) return this.#trunk;
    const country = this.#library.getRegionCodeForCountryCode(Number(callingCode));
    return isCountry(country) ? trunkOf(this.#library, country) : "";
  }
}

/** What the library finds in a text. */
interface Read {
  readonly valid: boolean;
  readonly digits: string;
  readonly callingCode: string;
}

/** Whether the library knows a country. */
export function isCountry(country: string): boolean {
  return library().getCountryCodeForRegionCode(country) > 0;
}

type Library = typeof import("awesome-phonenumber");

/** Longest text that is looked at, as of a field, and that the library is asked about. */
const LONGEST = 4096;
const LONGEST_PARSED = 100;
const MOST_KNOWN = 1000;

/** Loaded with the first number that is compared. */
function library(): Library {
  return require("awesome-phonenumber") as Library;
}

/** Digits of all scripts and widths as ASCII. */
function plainDigits(text: string): string {
  return text.normalize("NFKC").replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    let zero = point;
    // The digits of a script stand one after the other, from 0 to 9.
    while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(point - zero);
  });
}

function digitsIn(text: string): string {
  return text.replace(/[^0-9]+/g, "");
}

function isInternational(plain: string): boolean {
  return /[+0-9]/.exec(plain)?.[0] === "+";
}

/** `00` in most countries. The library shows it in front of a number of another country. */
function exitOf({ parsePhoneNumber, getNumberFrom, getCountryCodeForRegionCode }: Library, country: string): string {
  const abroad = parsePhoneNumber(getCountryCodeForRegionCode(country) === 1 ? "+84912345678" : "+12015550123");
  const { number = "" } = abroad.valid ? getNumberFrom(abroad, country) : {};
  const [first = ""] = number.split(" ");
  return first.startsWith("+") ? "00" : digitsIn(first) || "00";
}

/** `0` in most countries, also none. The library shows it in national numbers. */
function trunkOf({ getExample }: Library, country: string): string {
  for (const type of ["fixed-line", "mobile"] as const) {
    const { number } = getExample(country, type);
    const [national, significant] = [digitsIn(number?.national ?? ""), digitsIn(number?.significant ?? "")];
    if (significant !== "" && national.length > significant.length && national.endsWith(significant))
      return national.slice(0, -significant.length);
  }
  return "";
}
