import { readPhoneNumber } from "../../fields/kinds/phone-number";

/**
 * Phone numbers in one form for all spellings, for comparing only: the digits of the international number. What the library
 * does not find valid, such as emergency numbers and short codes, gets the calling code of the country.
 */
export class NumberNormalizer {
  readonly #library: Library;
  /** Empty: numbers without a country code are compared by their digits. */
  readonly #country: string;
  readonly #callingCode: string;
  /** Dialled before a number of another country. */
  readonly #exit: string;
  /** Dialled before a number of the country, and no part of it. */
  readonly #trunk: string;
  readonly #withoutCountry: NumberNormalizer | undefined;
  /** Messages often have the same few numbers, and each is compared when it is accepted and when it is sent. */
  readonly #known = new Map<string, readonly string[]>();

  /** @param country ISO 3166, in capitals, known to the library */
  constructor(country: string) {
    this.#library = library();
    this.#country = country;
    this.#callingCode = country === "" ? "" : String(this.#library.getCountryCodeForRegionCode(country));
    this.#exit = country === "" ? "00" : exitOf(this.#library, country);
    this.#trunk = country === "" ? "" : trunkOf(this.#library, country);
    this.#withoutCountry = country === "" ? undefined : new NumberNormalizer("");
  }

  /** The forms of a number: none if it cannot be read as one number, two if a `(0)` may or may not belong to it. */
  formsOf(number: string): readonly string[] {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const forms = this.#forms(number, (digits, hasPlus) => this.#formOf(digits, hasPlus));
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (number.length <= LONGEST_KNOWN) this.#known.set(number, forms);
    return forms;
  }

  /** The forms of the beginning of numbers. None, if it would be the beginning of every number. */
  formsOfBeginning(text: string): readonly string[] {
    return this.#forms(text, (digits, hasPlus) =>
      this.#withoutTrunk(hasPlus ? digits : (this.#abroad(digits) ?? this.#international(digits))),
    );
  }

  /** Its forms with this country, without one, and as it is dialled within the country: what any country has in common. */
  formsInAnyCountry(number: string): readonly string[] {
    const forms = this.formsOf(number);
    const [code, withoutCountry] = [this.#callingCode, this.#withoutCountry];
    if (!withoutCountry || forms.length === 0) return forms;
    const national = forms.filter((form) => form.startsWith(code)).map((form) => this.#trunk + form.slice(code.length));
    return [...new Set([...forms, ...national, ...withoutCountry.formsOf(number)])];
  }

  #forms(text: string, formOf: (digits: string, hasPlus: boolean) => string): readonly string[] {
    const { hasPlus = false, readings = [] } = readPhoneNumber(text) ?? {};
    const forms = readings.map((digits) => formOf(digits, hasPlus));
    return forms.every(isNumber) ? [...new Set(forms)] : [];
  }

  #formOf(digits: string, hasPlus: boolean): string {
    const international = hasPlus ? digits : this.#abroad(digits);
    if (international?.startsWith("0")) return "";
    if (international !== undefined) return this.#parse([`+${international}`, `+${this.#withoutTrunk(international)}`]);
    if (this.#country === "") return digits;
    return this.#parse([
      // Where national numbers begin with 0, a number that begins with the calling code is international.
      ...(this.#trunk !== "" && digits.startsWith(this.#callingCode) ? [`+${digits}`] : []),
      digits,
      // The library takes a calling code without a plus for what it is only in valid numbers.
      `+${this.#withoutTrunk(this.#international(digits))}`,
    ]);
  }

  /** The form of the first text that is a valid number, or else of the last one, which has a plus. */
  #parse(texts: readonly string[]): string {
    const options = this.#country === "" ? {} : { regionCode: this.#country };
    let form = "";
    for (const text of new Set(texts)) {
      const { valid, number } = this.#library.parsePhoneNumber(text, options);
      form = (number?.e164 ?? text).replace("+", "");
      if (valid) break;
    }
    return form;
  }

  /** The digits behind what is dialled before a number of another country; `undefined` for other numbers. */
  #abroad(digits: string): string | undefined {
    const behindExit = digits.slice(this.#exit.length);
    if (digits.startsWith(this.#exit) && !behindExit.startsWith("0")) return behindExit;
    // Nothing but zeros is no prefix: three of them are an emergency number, ten a number that cannot be dialled.
    return digits.startsWith("00") && !/^0+$/.test(digits) ? digits.slice(2) : undefined;
  }

  /** The digits of a national number as they continue the calling code; without a country, the digits. */
  #international(digits: string): string {
    if (this.#country === "") return digits;
    if (this.#trunk !== "" && digits.startsWith(this.#trunk))
      return this.#callingCode + digits.slice(this.#trunk.length);
    return digits.startsWith(this.#callingCode) ? digits : this.#callingCode + digits;
  }

  /** `+84 0113` is `+84 113`. Where 0 is dialled before all numbers of the country, none begins with it. */
  #withoutTrunk(digits: string): string {
    const code = [1, 2, 3]
      .map((length) => digits.slice(0, length))
      .find((each) => regionOf(this.#library, each) !== "");
    if (code === undefined || digits[code.length] !== "0") return digits;
    const trunk = code === this.#callingCode ? this.#trunk : trunkOf(this.#library, regionOf(this.#library, code));
    const hasTrunk = trunk.startsWith("0") && digits.startsWith(trunk, code.length);
    return hasTrunk ? code + digits.slice(code.length + trunk.length) : digits;
  }
}

/** Whether the library knows a country. */
export function isCountry(country: string): boolean {
  return library().getCountryCodeForRegionCode(country) > 0;
}

type Library = typeof import("awesome-phonenumber");

const MOST_KNOWN = 1000;
const LONGEST_KNOWN = 100;

/** Loaded with the first number that is compared. */
function library(): Library {
  return require("awesome-phonenumber") as Library;
}

/** E.164 has at most 15 digits: more of them are more than one number. */
function isNumber(form: string): boolean {
  return form.length > 0 && form.length <= 15;
}

/** The country of a calling code, one of them if it has several; empty for other digits. */
function regionOf({ getRegionCodeForCountryCode }: Library, callingCode: string): string {
  const country = getRegionCodeForCountryCode(Number(callingCode));
  return isCountry(country) ? country : "";
}

/** `00` in most countries. The library shows it in front of a number of another country. */
function exitOf({ parsePhoneNumber, getNumberFrom, getCountryCodeForRegionCode }: Library, country: string): string {
  const abroad = parsePhoneNumber(getCountryCodeForRegionCode(country) === 1 ? "+84912345678" : "+12015550123");
  const { number = "" } = abroad.valid ? getNumberFrom(abroad, country) : {};
  const [first = ""] = number.split(" ");
  return first.startsWith("+") ? "00" : first.replace(/[^0-9]+/g, "") || "00";
}

/** `0` in most countries, also none. The library shows it in national numbers, or takes it in front of them. */
function trunkOf({ getExample, parsePhoneNumber }: Library, regionCode: string): string {
  for (const type of ["fixed-line", "mobile"] as const) {
    const { number } = getExample(regionCode, type);
    const [national = "", significant = ""] = [number?.national, number?.significant].map((text) =>
      text?.replace(/[^0-9]+/g, ""),
    );
    if (significant === "") continue;
    if (national.length > significant.length && national.endsWith(significant))
      return national.slice(0, -significant.length);
    if (parsePhoneNumber(`0${significant}`, { regionCode }).number?.e164 === number?.e164) return "0";
  }
  return "";
}
