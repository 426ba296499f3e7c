import { deepStrictEqual } from "node:assert/strict";
import { casesOf } from "../../../support/until";
import { guardOf } from "./guard-of";
import { ALL, inScript, joined, OTHER, type Written } from "./national-numbers";

/** Every way of docs/contract/guard.md to write a number. */
const READABLE: readonly (readonly [what: string, write: (number: Written) => string])[] = [
  ["nothing but digits", ({ plus }) => plus],
  ["00", ({ plus }) => plus.replace("+", "00")],
  ["tel:", ({ plus }) => `tel:${plus}`],
  ...["TEL: ", "Tel. ", "tel.", "Tel.: "].map(
    (before) => [`${before} before it`, ({ plus }: Written) => before + plus] as const,
  ),
  ["a plus in brackets", ({ code, significant }) => `(+${code}) ${significant}`],
  ...[
    " ",
    "\u00a0",
    "-",
    ".",
    "/",
    ") (",
    " - ",
    "\u2010",
    "\u2011",
    "\u2012",
    "\u2013",
    "\u2014",
    "\u2015",
    "\u2212",
  ].map((sign) => [`the separator ${JSON.stringify(sign)}`, ({ plus }: Written) => joined(plus, sign)] as const),
  ["national spelling", ({ trunk, significant }) => trunk + significant],
  [
    "national spelling with brackets",
    ({ trunk, significant }) => `(${trunk}${significant.slice(0, 2)}) ${significant.slice(2)}`,
  ],
  ...[0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7f6].map(
    (zero) => [`digits from U+${zero.toString(16)}`, ({ plus }: Written) => inScript(plus, zero)] as const,
  ),
  ...[
    "ext 12",
    "ext. 12",
    " EXT12",
    "x12",
    " x 1234",
    "#12",
    " # 12",
    ";ext=12",
    " ext: 12",
    " Extn. 12",
    "extension 12",
  ].map((extension) => [`the extension ${extension}`, ({ plus }: Written) => plus + extension] as const),
  ["direction marks around it", ({ plus }) => `\u202a${plus}\u202c`],
  ["direction marks in it", ({ plus }) => plus.split("").join("\u200e")],
  ["zero-width characters", ({ plus }) => plus.split("").join("\u200b\u2060\ufeff\u200d")],
  ["an extension behind an invisible mark", ({ plus }) => `${plus}\u200b ext\u200f 12`],
  ["90 blanks", ({ plus }) => `${plus.slice(0, 6)}${" ".repeat(90)}${plus.slice(6)}`],
  ["an extension behind 90 blanks", ({ plus }) => `${plus}${" ".repeat(90)}ext 12`],
];

/** The texts that are not one number to a reader who cannot see what was meant. */
const UNREADABLE: readonly (readonly [what: string, write: (number: Written) => string])[] = [
  ...["~", "_", "*", "|", "'", ":", "+"].map(
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

const NUMBERS = ALL.slice(0, casesOf(ALL.length));

describe("a guard fails closed", () => {
  for (const [what, write] of READABLE)
    it(`reads ${what}`, async () => {
      const wrong: string[] = [];
      for (const number of NUMBERS) {
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
      for (const number of NUMBERS) {
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
});
