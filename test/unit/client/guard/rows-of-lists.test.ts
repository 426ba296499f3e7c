import { deepStrictEqual } from "node:assert/strict";
import { getExample, getSupportedRegionCodes } from "awesome-phonenumber";
import { NumberNormalizer } from "../../../../src/client/guard/number-normalizer";

/** By country, texts that are one number. */
const ONE: Readonly<Record<string, string>> = {
  VN: "0901234507; 901234507; +84 901 234 507; (028) 3812 3456; 19001234; 0901234507 ext 12; tel:+84-901-234-507; +4930123456; 01234567890",
  DE: "030 123456-10; 089/1234-0; 030 1234",
  US: "(201) 555-0123; 201-555-0123 x12",
  "": "0901234507; 84901234507; 1234567; 030/123456-12; 0000000012",
};

/** And texts that are not. */
const NOT_ONE: Readonly<Record<string, string>> = {
  VN: "0901234507/08; 0901234507 - 08; (028) 3812 3456 - 57; 0901234507, 0901234508; 0901234507 ::: 0901234508; 113; 12345; 090•••4507; 0901234xxx; 0901234507,,12; 0901234507p12; 84901234507.0; An; +; 0901234507 0901234508",
  DE: "030 12; 030 123456/10",
  "": "0901234507/08; 123456; 113; *100#; x",
};

const parsed = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([country, list]) => list.split("; ").map((text) => [country, text] as const));

describe("the number of a row", () => {
  it("is one number, of seven digits or more or valid in the country", () => {
    const isOne = ([country, text]: readonly [string, string]) => new NumberNormalizer(country).isOneNumber(text);
    deepStrictEqual(
      parsed(ONE).filter((each) => !isOne(each)),
      [],
    );
    deepStrictEqual(parsed(NOT_ONE).filter(isOne), []);
  });

  it("lacks its zero where the library writes one in front of the very digits", () => {
    const lacking = {
      VN: "901234567; 2838123456; 90 123 45 67",
      DE: "30123456; 15123456789",
      JP: "9012345678; 312345678",
    };
    const complete = {
      VN: "0901234567; +84901234567; 84901234567; 0084901234567; 19001234; 113; +84 (0)901234567; 90123456789; An; 01234567890",
      DE: "030123456; 4930123456; +4930123456; 110",
      US: "2015550123; 12015550123",
      HU: "201234567; 06201234567",
      "": "901234567; 84901234567; 0901234567",
    };
    const lacks = ([country, text]: readonly [string, string]) => new NumberNormalizer(country).lacksZero(text);
    deepStrictEqual(
      parsed(lacking).filter((each) => !lacks(each)),
      [],
    );
    deepStrictEqual(parsed(complete).filter(lacks), []);
  });

  it("is complete in the national and the international form of every country", () => {
    const wrong: string[] = [];
    for (const country of getSupportedRegionCodes().filter((each) => each !== "TA"))
      for (const type of ["fixed-line", "mobile"] as const) {
        const { number } = getExample(country, type);
        if (!number) continue;
        const { e164, national, international, significant } = number;
        const numbers = new NumberNormalizer(country);
        for (const text of [e164, national, international]) {
          if (!numbers.isOneNumber(text)) wrong.push(`${country} ${text} is not one`);
          if (numbers.lacksZero(text)) wrong.push(`${country} ${text} lacks a zero`);
        }
        const isWithout = national.replace(/[^0-9]/g, "") === `0${significant}`;
        if (numbers.lacksZero(significant) !== isWithout) wrong.push(`${country} ${significant}: ${!isWithout}`);
      }
    deepStrictEqual(wrong, []);
  });
});
