import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { callTo, guardOf, newGuard } from "./guard-of";

/**
 * Significant numbers of 26 countries, by the rules that their regulators publish, and what is dialled before them within
 * the country. Italy keeps its 0; the last group has no trunk prefix.
 */
const NUMBERS: readonly (readonly [country: string, callingCode: string, trunk: string, ...significant: string[]])[] = [
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

interface Written {
  readonly country: string;
  readonly plus: string;
  readonly code: string;
  readonly trunk: string;
  readonly significant: string;
}

const ALL: readonly Written[] = NUMBERS.flatMap(([country, code, trunk, ...numbers]) =>
  numbers.map((significant) => ({ country, plus: `+${code}${significant}`, code, trunk, significant })),
);

const inScript = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const joined = (text: string, separator: string) => text.replace(/(\d{2,3})(?=\d{2})/g, `$1${separator}`);

/** Every way of docs/contract.md#guard to write a number. */
const READABLE: readonly (readonly [what: string, write: (number: Written) => string])[] = [
  ["nothing but digits", ({ plus }) => plus],
  ["00", ({ plus }) => plus.replace("+", "00")],
  ["tel:", ({ plus }) => `tel:${plus}`],
  ["TEL:", ({ plus }) => `TEL: ${plus}`],
  ["a plus in brackets", ({ code, significant }) => `(+${code}) ${significant}`],
  ...[" ", "\u00a0", "-", ".", "/", ") (", " - "].map(
    (sign) => [`the separator ${JSON.stringify(sign)}`, ({ plus }: Written) => joined(plus, sign)] as const,
  ),
  ["national spelling", ({ trunk, significant }) => trunk + significant],
  [
    "national spelling with brackets",
    ({ trunk, significant }) => `(${trunk}${significant.slice(0, 2)}) ${significant.slice(2)}`,
  ],
  ...[0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7f6].map(
    (zero) => [`digits from U+${zero.toString(16)}`, ({ plus }: Written) => inScript(plus, zero)] as const,
  ),
  ...["ext 12", "ext. 12", " EXT12", "x12", " x 1234", "#12", " # 12", ";ext=12"].map(
    (extension) => [`the extension ${extension}`, ({ plus }: Written) => plus + extension] as const,
  ),
  ["direction marks around it", ({ plus }) => `\u202a${plus}\u202c`],
  ["direction marks in it", ({ plus }) => plus.split("").join("\u200e")],
  ["zero-width characters", ({ plus }) => plus.split("").join("\u200b\u2060\ufeff\u200d")],
  ["an extension behind an invisible mark", ({ plus }) => `${plus}\u200b ext\u200f 12`],
  ["90 blanks", ({ plus }) => `${plus.slice(0, 6)}${" ".repeat(90)}${plus.slice(6)}`],
  ["an extension behind 90 blanks", ({ plus }) => `${plus}${" ".repeat(90)}ext 12`],
];

/** What is not one number to whoever cannot see what was meant. */
const UNREADABLE: readonly (readonly [what: string, write: (number: Written) => string])[] = [
  ...["~", "_", "–", "*", "|", "'", ":", "+"].map(
    (sign) => [`the separator ${sign}`, ({ plus }: Written) => joined(plus, sign)] as const,
  ),
  ...["_12", " poste 12", " DW 12", "-DW12", " máy lẻ 12", " 内線 12", "内線12", "p12", "w12", ",,12", ";12"].map(
    (behind) => [`${behind} behind it`, ({ plus }: Written) => plus + behind] as const,
  ),
  ...[" ext 1 ext 2", "x1x2", "#1#2", " x12 Anna", "x", "#", " ext", "x12345678", ";phone-context=+84"].map(
    (behind) => [`${behind} behind it`, ({ plus }: Written) => plus + behind] as const,
  ),
  ...[" Anna", " (mobile)", "°", "①", "²", " o'clock"].map(
    (behind) => [`${behind} behind it`, ({ plus }: Written) => plus + behind] as const,
  ),
  ...[
    "*31#",
    "#31#",
    "*67",
    "*67 ",
    "sip:",
    "sips:",
    "tel:tel:",
    "callto:",
    "Anna ",
    "++",
    "+00",
    "+0",
    "00+",
    "000",
  ].map((before) => [`${before} before it`, ({ plus }: Written) => before + plus.slice(1)] as const),
  ["sip: with a host", ({ plus }) => `sip:${plus}@example.com`],
  ...[" ", "/", ", ", ";", " / ", " or ", "\n", "x", "#"].map(
    (between) =>
      [
        `a second number behind ${JSON.stringify(between)}`,
        ({ trunk, significant }: Written) => trunk + significant + between + trunk + significant,
      ] as const,
  ),
  ["the letter O", ({ plus }) => `${plus.slice(0, -1)}O`],
  ["Chinese numerals", ({ plus }) => plus.replace(/\d/g, (digit) => "〇一二三四五六七八九"[Number(digit)] ?? "")],
  ["one Chinese numeral", ({ plus }) => `${plus.slice(0, -1)}五`],
  ["two (0)", ({ code, significant }) => `+${code} (0)(0)${significant}`],
];

const OTHER = "+84 28 3822 0000";

describe("a guard fails closed", () => {
  for (const [what, write] of READABLE)
    it(`reads ${what}`, async () => {
      const wrong: string[] = [];
      for (const number of ALL) {
        const written = write(number);
        const { country, plus } = number;
        const rules = await Promise.all([
          guardOf({ country, block: [plus] })(written),
          // An entry has at most 100 characters.
          guardOf({ country, block: [written.replace(/ {90}/, " ")] })(plus),
          guardOf({ country, allow: [plus] })(written),
          guardOf({ country, allow: [OTHER] })(written),
          guardOf({ country, perNumber: 1 })(written),
        ]);
        if (String(rules) !== "block,block,,allow,") wrong.push(`${country} ${written}: ${rules}`);
      }
      deepStrictEqual(wrong, []);
    });

  for (const [what, write] of UNREADABLE)
    it(`does not read ${what}`, async () => {
      const wrong: string[] = [];
      for (const number of ALL) {
        const written = write(number);
        for (const country of [number.country, ""])
          for (const rules of [
            { block: [number.plus] },
            { block: ["*"] },
            { allow: [number.plus] },
            { allow: ["*"] },
            { perNumber: 1 },
          ])
            if ((await guardOf({ country, ...rules })(written)) !== "unreadable")
              wrong.push(`${country} ${written} with ${JSON.stringify(rules)}`);
        if (written.includes("*")) continue;
        const inList = await guardOf({ country: number.country, block: ["113", written] })("114");
        if (inList !== "block[1]") wrong.push(`${written} in a list: ${inList}`);
      }
      deepStrictEqual(wrong, []);
    });

  it("measures a number with (0) with and without it where the country dials no 0, and without it elsewhere", async () => {
    const wrong: string[] = [];
    for (const { country, code, trunk, significant } of ALL) {
      const [written, without, withIt] = [
        `+${code} (0)${significant}`,
        `+${code}${significant}`,
        `+${code}0${significant}`,
      ];
      for (const home of [country, "VN", "US", ""]) {
        const rules = await Promise.all([
          guardOf({ country: home, block: [without] })(written),
          guardOf({ country: home, allow: [without] })(written),
          guardOf({ country: home, block: [withIt] })(written),
          guardOf({ country: home, allow: [without, withIt] })(written),
          guardOf({ country: home, block: [written] })(without),
          guardOf({ country: home, allow: [`+${code}*`] })(written),
        ]);
        const expected = `block,${trunk === "0" ? "" : "allow"},block,,block,`;
        if (String(rules) !== expected) wrong.push(`${home} ${written}: ${rules}`);
      }
    }
    deepStrictEqual(wrong, []);
  });

  it("holds the numbers of a beginning, with and without (0)", async () => {
    const wrong: string[] = [];
    for (const { country, plus, code, trunk, significant } of ALL)
      for (const length of [1, 2, 4]) {
        const begins = significant.slice(0, length);
        for (const entry of [
          `+${code} (0)${begins}*`,
          `00${code}(0) ${begins}*`,
          `+${code} ${begins} *`,
          `(${trunk}${begins})*`,
        ]) {
          if (entry.startsWith("(") && `${trunk}${begins}`.startsWith(code)) continue;
          const rules = await Promise.all([
            guardOf({ country, block: [entry] })(plus),
            guardOf({ country, allow: [entry] })(plus),
            guardOf({ country, block: [entry] })(OTHER),
          ]);
          if (String(rules) !== `block,,${OTHER.replaceAll(" ", "").startsWith(`+${code}${begins}`) ? "block" : ""}`)
            wrong.push(`${country} ${entry}: ${rules}`);
        }
      }
    deepStrictEqual(wrong, []);
  });

  it("takes a lone * for every number, with and without a country", async () => {
    for (const country of ["", ...NUMBERS.map(([each]) => each)])
      for (const number of [...ALL.map(({ plus }) => plus), "113", "0912345678"]) {
        strictEqual(await guardOf({ country, block: ["*"] })(number), "block", `${country} ${number}`);
        strictEqual(await guardOf({ country, allow: [" * "] })(number), "", `${country} ${number}`);
      }
  });

  it("reads every number as before while it has no rule", async () => {
    for (const number of ["sip:alice@example.com", "0912~345", ""])
      strictEqual(await guardOf({ country: "VN" })(number), "");
  });

  it("guards an internal number of seven digits or more like an external one", async () => {
    const rules = { country: "VN", block: ["0912345678"] };
    for (const number of ["0912345678", "+84 912-345-678", "\u200e0912345678", inScript("0912345678", 0x660)])
      strictEqual(await guardOf(rules)(number, "internal"), "block", number);
    for (const number of ["sip:0912345678", "0912~345~678", "p1234567"])
      strictEqual(await guardOf(rules)(number, "internal"), "unreadable", number);
    strictEqual(await guardOf({ allow: ["+84*"] })("1234567", "internal"), "allow");
    for (const number of ["101", "123456", "alice", "user-7", "*31#"])
      for (const type of ["internal", "queue"])
        strictEqual(await guardOf({ ...rules, allow: ["114"], perNumber: 1 })(number, type), "", number);
  });

  it("has a key in common for one number, whatever its country was", () => {
    const hashes = (country: string, number: string) =>
      newGuard({ country, perNumber: 1 })
        .rateLimitKeys(callTo(number))
        .map(({ hash }) => hash);
    const wrong: string[] = [];
    for (const { country, plus, trunk, significant } of ALL) {
      const spellings = [
        plus,
        plus.slice(1),
        trunk + significant,
        joined(plus, " "),
        `${joined(trunk + significant, "-")} x12`,
      ];
      const homes = [country, "", "VN", "US"];
      for (const one of spellings) {
        for (const [before, after] of homes.flatMap((a) => homes.map((b) => [a, b] as const)))
          if (!hashes(before, one).some((hash) => hashes(after, one).includes(hash)))
            wrong.push(`${one}: from ${before} to ${after}`);
        // A tenant without a country gets the number's own, or loses it.
        for (const other of spellings)
          for (const [before, after] of [
            ["", country],
            [country, ""],
            [country, country],
          ] as const)
            if (!hashes(before, one).some((hash) => hashes(after, other).includes(hash)))
              wrong.push(`${one} and ${other}: from ${before} to ${after}`);
      }
    }
    deepStrictEqual(wrong, []);
  });
});
