import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import { isCountry, NumberNormalizer } from "../../../../src/client/guard/number-normalizer";
import { exampleNumbers } from "./national-numbers";

/** Different spellings of one number each, in the country that the tenant names. */
const SAME: readonly (readonly [country: string, form: string, ...spellings: string[]])[] = [
  ["VN", "84912345678", "0912.345.678", "912345678", "84912345678", "tel:+84-912-345-678", "0912345678 ext. 12"],
  ["VN", "84113", "113", "+84113", "+84 113", "+84 (0)113", "0084113"],
  ["VN", "8419001234", "19001234", "1900 1234", "+84 1900 1234"],
  // Eleven digits were valid until 2018.
  ["VN", "841234567890", "01234567890", "+84 123 456 7890", "+84 (0)123 456 7890", "0084 1234567890", "841234567890"],
  ["US", "12015550123", "(201) 555-0123", "1 201 555 0123", "+1 201-555-0123", "201.555.0123"],
  ["US", "1911", "911", "+1911"],
  ["DE", "4915123456789", "0151 23456789", "+49 (0)151 23456789", "0049 151 23456789", "+49 151/23456789"],
  // 04917 is an area code, too.
  ["DE", "491717396162", "0171 7396162", "491717396162", "49 171 7396162", "(49) 171 7396162"],
  ["DE", "49112", "112", "+49112"],
  ["JP", "819012345678", "090-1234-5678", "+81 90-1234-5678", "010 81 90 1234 5678"],
  ["IT", "390612345678", "06 1234 5678", "+39 06 1234 5678", "0039 06 12345678"],
  ["HU", "36201234567", "06 20 123 4567", "+36 20 123 4567"],
  ["", "84912345678", "+84912345678", "+84 (0)912 345 678", "84 912 345 678", "84912345678"],
  ["", "0912345678", "0912345678", "0912 345-678"],
];

describe("phone numbers in one form", () => {
  for (const [country, form, ...spellings] of SAME)
    it(`${form} is one number in all its spellings${country ? ` in ${country}` : ""}`, () => {
      const numbers = new NumberNormalizer(country);
      deepStrictEqual(
        spellings.map((spelling) => [spelling, ...numbers.formsOf(spelling)]),
        spellings.map((spelling) => [spelling, form]),
      );
    });

  it("the example numbers of every country are one number each in their usual spellings", () => {
    const wrong: string[] = [];
    for (const { country, form, spellings } of exampleNumbers()) {
      const numbers = new NumberNormalizer(country);
      for (const spelling of spellings)
        if (!numbers.formsOf(spelling).includes(form)) wrong.push(`${country} ${spelling}`);
    }
    deepStrictEqual(wrong, []);
  });

  it("numbers of two countries stay two numbers", () => {
    const numbers = new NumberNormalizer("VN");
    notDeepStrictEqual(numbers.formsOf("+1 912 345 678"), numbers.formsOf("0912 345 678"));
    notDeepStrictEqual(numbers.formsOf("+1 900 123 4567"), numbers.formsOf("1900 123456"));
  });

  it("a beginning is read like the numbers that begin with it", () => {
    const vn = new NumberNormalizer("VN");
    for (const [text, form] of [
      ["+84", "84"],
      ["0084", "84"],
      ["84", "84"],
      ["+1", "1"],
      ["001", "1"],
      ["09", "849"],
      ["9", "849"],
      ["0", "84"],
      ["1900", "841900"],
      ["\uff10\uff19", "849"],
    ] as const)
      deepStrictEqual(vn.formsOfBeginning(text), [form], text);
    deepStrictEqual(new NumberNormalizer("US").formsOfBeginning("011 84"), ["84"]);
    deepStrictEqual(new NumberNormalizer("US").formsOfBeginning("1900"), ["1900"]);
    deepStrictEqual(new NumberNormalizer("US").formsOfBeginning("201"), ["1201"]);
    deepStrictEqual(new NumberNormalizer("RU").formsOfBeginning("8 800"), ["7800"]);
    deepStrictEqual(new NumberNormalizer("IT").formsOfBeginning("06"), ["3906"]);
    deepStrictEqual(new NumberNormalizer("").formsOfBeginning("0 9"), ["09"]);
    deepStrictEqual(new NumberNormalizer("").formsOfBeginning("+84 9"), ["849"]);
  });

  it("a text without a digit has no form", () => {
    for (const country of ["", "VN"])
      for (const text of ["", "alice", "+", "*#", "\ud800"])
        deepStrictEqual(new NumberNormalizer(country).formsOf(text), [], text);
  });

  it("knows the countries of ISO 3166 that have numbers", () => {
    for (const country of ["VN", "US", "DE", "JP", "CN", "GG", "XK"]) ok(isCountry(country), country);
    for (const country of ["", "XX", "EU", "AQ"]) ok(!isCountry(country), country);
  });

  it("a text of a megabyte takes no longer than a short one", () => {
    const numbers = new NumberNormalizer("VN");
    numbers.formsOf("0912345678");
    for (const part of ["0", "+", "(", "1 ", " ", ";ext=", "x1", "\uff10", "\u0966", "tel:", "-", "\ufdfa", "#1"]) {
      const text = part.repeat(2 ** 20 / part.length);
      let fastest = Infinity;
      // The fastest of a few: another process may have the processor.
      for (let n = 0; n < 5; n += 1) {
        const from = performance.now();
        numbers.formsOf(text.slice(n));
        numbers.formsOfBeginning(text.slice(n));
        fastest = Math.min(fastest, performance.now() - from);
      }
      ok(fastest < 5, `${JSON.stringify(part)}: ${fastest} ms`);
    }
  });
});
