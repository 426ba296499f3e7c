import { getExample, getSupportedRegionCodes } from "awesome-phonenumber";

/**
 * Significant numbers of 26 countries, by the rules that their regulators publish, and what is dialled before them within
 * the country. Italy keeps its 0; the last group has no trunk prefix.
 */
export const NUMBERS: readonly (readonly [
  country: string,
  callingCode: string,
  trunk: string,
  first: string,
  second: string,
])[] = [
  ["VN", "84", "0", "912345678", "2438223344"],
  ["DE", "49", "0", "15123456789", "30123456"],
  ["FR", "33", "0", "612345678", "142345678"],
  ["GB", "44", "0", "7400123456", "2079460123"],
  ["JP", "81", "0", "9012345678", "312345678"],
  ["AU", "61", "0", "412345678", "212345678"],
  ["CN", "86", "0", "13912345678", "1012345678"],
  ["IN", "91", "0", "9123456789", "7410410123"],
  ["TH", "66", "0", "812345678", "21234567"],
  ["KR", "82", "0", "1020000000", "22123456"],
  ["NL", "31", "0", "612345678", "202345678"],
  ["CH", "41", "0", "781234567", "212345678"],
  ["SE", "46", "0", "701234567", "8123456"],
  ["BR", "55", "0", "11961234567", "1123456789"],
  ["HU", "36", "06", "201234567", "12345678"],
  ["RU", "7", "8", "9123456789", "3011234567"],
  ["IT", "39", "", "3201234567", "0612345678"],
  ["US", "1", "", "2015550123", "4155550134"],
  ["SG", "65", "", "81234567", "61234567"],
  ["HK", "852", "", "51234567", "21234567"],
  ["ES", "34", "", "612345678", "810123456"],
  ["PT", "351", "", "912345678", "212345678"],
  ["DK", "45", "", "32123456", "44123456"],
  ["NO", "47", "", "40612345", "21234567"],
  ["PL", "48", "", "512345678", "123456789"],
  ["GR", "30", "", "6912345678", "2123456789"],
];

export interface Written {
  readonly country: string;
  readonly plus: string;
  readonly code: string;
  readonly trunk: string;
  readonly significant: string;
}

export const ALL: readonly Written[] = NUMBERS.flatMap(([country, code, trunk, ...numbers]) =>
  numbers.map((significant) => ({ country, plus: `+${code}${significant}`, code, trunk, significant })),
);

export const inScript = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
export const joined = (text: string, separator: string) => text.replace(/(\d{2,3})(?=\d{2})/g, `$1${separator}`);

/** A number of none of the others' beginnings. */
export const OTHER = "+84 28 3822 0000";

/** The example numbers of every country, each in its usual spellings; `form` is the one in which they are compared. */
export function* exampleNumbers(): Generator<{ country: string; form: string; spellings: readonly string[] }> {
  for (const country of getSupportedRegionCodes().filter((each) => each !== "TA"))
    for (const type of ["fixed-line", "mobile"] as const) {
      const { number, countryCode } = getExample(country, type);
      if (!number) continue;
      const { e164, national, international, rfc3966, significant } = number;
      const form = e164.slice(1);
      const further = [form, international, rfc3966, `00${form}`, `+${countryCode} (0)${significant}`];
      yield { country, form, spellings: [national, significant, ...further] };
    }
}
