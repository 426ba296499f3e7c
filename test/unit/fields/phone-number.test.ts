import { doesNotThrow, equal, throws } from "node:assert/strict";
import fc from "fast-check";
import { ValueError } from "../../../src/fields";
import { doubtfulNumber, readPhoneNumber, toDialable } from "../../../src/fields/kinds/phone-number";

const DIALABLE = [
  "0901234567",
  "+84 (0) 901-234.567",
  "tel:+84901234567",
  "TEL: 0901 234 567",
  "0901234567 ext. 12",
  "0901234567x12",
  "+84901234567;ext=12",
  "0901234567,,12#",
  "0901234567ppp12",
  "0901234567W3",
  "*100#",
  "0901.234.567",
  "#31#0901234567",
  "1234567890123456789,12345678901234567890",
  "\u0660\u0669\u0660\u0661",
  "\uff10\uff19\uff10\uff11 \uff45\uff58\uff54 12",
  "\u200e0901\u202c",
  "Tel. 0901\u2011234\u2013567 extension 12",
];
const NOT_DIALABLE = [
  "1\n2",
  '="0900000001"',
  "'0900000002",
  "0900000003 ::: 0900000004",
  "0900000003|0900000004",
  "12345678901234567890",
  "0901234567=12",
  "sip:ada@acme.example.com",
  "sip:0901234567",
  "sips:1@acme.example.com",
  "1-800-FLOWERS",
  "0901 or 0902",
  "Ada",
  "u-7",
  "0901 extend 12",
  "Telephone 0901",
  "0901xp",
  "call tel:0901",
  "\u043f\u0435\u0440 0901",
  "+",
  "ext",
  "tel:",
  "#",
];

describe("A number to dial", () => {
  for (const number of DIALABLE)
    it(`may be ${JSON.stringify(number)}`, () => doesNotThrow(() => toDialable(number, "to.number")));

  for (const [number, sent] of [
    ["p:0901 234-567", "0901 234-567"],
    ["P: +84 901", "+84 901"],
    ["tel:+84901", "+84901"],
    ["Tel.:\u00a00901\u2011234", "0901\u2011234"],
    ["\u200e0901\u202c 234\ufeff", "0901 234"],
    ["\uff0b\uff18\uff14 \u0669\u0660\u0661", "+84 901"],
    ["\uff50\uff1a\u2060\u0966\u096f\u0966\u0967,,12#", "0901,,12#"],
    ["0901 (234)/567", "0901 (234)/567"],
  ] as const)
    it(`is sent as ${sent}: ${JSON.stringify(number)}`, () => equal(toDialable(number, "to.number"), sent));

  for (const number of NOT_DIALABLE)
    it(`is not ${JSON.stringify(number)}`, () =>
      throws(() => toDialable(number, "to.number"), {
        constructor: ValueError,
        key: "input.notDialable",
        path: "to.number",
      }));

  for (const number of [
    "84901234567.0",
    "+84901234567.00",
    "tel:84901234567.0",
    "84901234567.0;ext=5",
    "\uff18\uff14\uff19\uff10.0",
  ])
    it(`is none with a dot and zeros at its end: ${number}`, () => {
      const refused = { constructor: ValueError, key: "input.numberDecimal", path: "to.number" };
      throws(() => toDialable(number, "to.number"), refused);
      equal(readPhoneNumber(number), undefined);
    });

  for (const [number, expected] of [
    [" 84901234567", "lostPlus"],
    [" 84 901 234-567\n", "lostPlus"],
    [" 0901 234 567", ""],
    [" 84 901 2345", ""],
    [90_123_456, "lostZero"],
    [901_234_567, "lostZero"],
    [12, ""],
    [84_901_234_567, ""],
  ] as const)
    it(`may have lost its plus or its zero: ${JSON.stringify(number)}`, () =>
      equal(
        doubtfulNumber(number, "", "to.number", () => false)
          .map(({ key }) => key)
          .join(),
        expected,
      ));

  it("is every number that the guard can read", () => {
    const part = fc.constantFrom(
      "0",
      "1",
      "7",
      "+",
      "tel:",
      "Tel.",
      "ext",
      "extn",
      "\u2212",
      ":",
      "x",
      "#",
      ";ext=",
      " ",
      "(",
      ")",
      "(0)",
      ".",
      "\u0661",
      "p",
      "a",
    );
    let read = 0;
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = parts.join("");
        if (readPhoneNumber(text) === undefined) return;
        read += 1;
        toDialable(text, "to.number");
      }),
      { numRuns: 20_000, seed: 24 },
    );
    equal(read > 1000, true, `${read} numbers were readable`);
  });
});
