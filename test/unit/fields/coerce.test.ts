import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import {
  alias,
  boolean,
  choice,
  type Field,
  id,
  positiveInteger,
  shownParams,
  text,
  ValueError,
} from "../../../src/fields";
import { checkValue } from "../../../src/fields/kinds";

const LONG = "x".repeat(4096);

/** A kind of field, the values that it accepts and converts, and the values that it refuses with ERR_INPUT. */
interface Kind {
  readonly field: Field;
  readonly takes: readonly (readonly [value: unknown, expected: unknown])[];
  readonly refuses: readonly unknown[];
}

const object = { a: 1 };
const notTexts = [
  true,
  false,
  object,
  [],
  ["a"],
  () => "a",
  Symbol("a"),
  new Date(0),
  Number.NaN,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e21,
  Number.POSITIVE_INFINITY,
];

const KINDS: Readonly<Record<string, Kind>> = {
  text: {
    field: text(),
    takes: [
      ["0901 234-567", "0901 234-567"],
      ["u-7_é", "u-7_é"],
      [" \n padded\t", "padded"],
      [0, "0"],
      [-5, "-5"],
      [901234567, "901234567"],
      [Number.MAX_SAFE_INTEGER, "9007199254740991"],
      [10n ** 20n, "100000000000000000000"],
      [LONG, LONG],
      [` ${LONG} `, LONG],
    ],
    refuses: [
      ...notTexts,
      `${LONG}x`,
      "x".repeat(1_000_000),
      "a\nb",
      "a\rb",
      "a\tb",
      "a\u0000b",
      "a\u007fb",
      "a\u0085b",
    ],
  },
  alias: {
    field: alias(),
    takes: [
      ["Ada\nLovelace", "Ada Lovelace"],
      ["\r\nAda\r\nLovelace\n", "Ada Lovelace"],
      ["Ada\u2028Lovelace", "Ada Lovelace"],
      ["0901 234-567", "0901 234-567"],
    ],
    refuses: [...notTexts, `${LONG}x`, "a\tb", "a\u0000b"],
  },
  choice: {
    field: choice(["blind", "attendend"], { spellings: { attended: "attendend" } }),
    takes: [
      ["blind", "blind"],
      [" blind ", "blind"],
      ["attended", "attendend"],
      ["attendend", "attendend"],
    ],
    refuses: ["Blind", "warm", "toString", "__proto__", 1, true, object],
  },
  boolean: {
    field: boolean(),
    takes: [
      ...[true, "true", "1", "on", 1, " true "].map((value) => [value, true] as const),
      ...[false, "false", "0", "off", 0, -0].map((value) => [value, false] as const),
    ],
    refuses: ["TRUE", "yes", "no", 2, -1, Number.NaN, object, [], [true], "x".repeat(1_000_000)],
  },
  positiveInteger: {
    field: positiveInteger(),
    takes: [
      [20, 20],
      ["20", 20],
      [" 020 ", 20],
      ["1e2", 100],
    ],
    refuses: [
      0,
      -1,
      1.5,
      "0",
      "-1",
      "1.5",
      "many",
      "0x10",
      "1_000",
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      object,
      [5],
      2 ** 53,
    ],
  },
  id: {
    field: id(),
    takes: [
      [5, "5"],
      ["5", "5"],
      ["0005", "0005"],
      ["9".repeat(18), "9".repeat(18)],
      [" 7 ", "7"],
      [7n, "7"],
    ],
    refuses: [
      "..",
      "%2e",
      "1/../2",
      "1/2",
      "1?a=b",
      "-1",
      "+1",
      "1.0",
      "1e3",
      "x",
      "９",
      "9".repeat(19),
      -1,
      1.5,
      true,
      object,
      "1\n2",
    ],
  },
};

describe("values of fields", () => {
  for (const [name, { field, takes, refuses }] of Object.entries(KINDS)) {
    for (const [value, expected] of takes) {
      it(`${name} accepts ${shown(value)}`, () => strictEqual(checkValue(field, value, "f"), expected));
    }
    for (const value of refuses) {
      it(`${name} refuses ${shown(value)}`, () =>
        throws(() => checkValue(field, value, "f"), { constructor: ValueError, path: "f" }));
    }
    for (const value of [undefined, null, "", "  "]) {
      it(`${name} treats ${shown(value)} as not given`, () => strictEqual(checkValue(field, value, "f"), undefined));
    }
  }

  it("are refused as numbers that have lost digits, with the advice to send text", () => {
    throws(() => checkValue(text(), 2 ** 53, "f"), { constructor: ValueError, key: "input.unsafeNumber" });
  });

  it("have errors that list the choices", () => {
    const field = choice(["internal", "external"]);
    const params = { value: "x", choices: "internal, external" };
    throws(() => checkValue(field, "x", "f"), { constructor: ValueError, params });
  });

  it("are quoted on one line, shortened, with numbers masked", () => {
    const values = [`x\n${"y".repeat(1_000_000)}`, "0901234567 is no choice", "+84 (90) 123-45-67"];
    for (const value of values) {
      throws(
        () => checkValue(choice(["internal"]), value.replace("\n", ""), "f"),
        (error) => {
          const quoted = String(error instanceof ValueError && shownParams(error)["value"]);
          ok(quoted.length < 80, quoted);
          ok(!/\d[\d ().+-]{6,}/.test(quoted), quoted);
          return true;
        },
      );
    }
    throws(
      () => checkValue(text(), "a\nb\u0000c", "f"),
      (error) => {
        match(String(error instanceof ValueError && shownParams(error)["value"]), /^[^\p{Cc}]+$/u);
        return true;
      },
    );
  });

  it("are checked in linear time", () => {
    const hostile = ["0".repeat(1_000_000), " ".repeat(1_000_000), "1-".repeat(500_000), "\u0000".repeat(1_000_000)];
    const kinds = Object.values(KINDS).map(({ field }) => field);
    const verdicts = hostile.flatMap((value) => kinds.map((field) => verdict(field, value)));
    deepStrictEqual(new Set(verdicts), new Set(["refused", "not given"]));
  });
});

function verdict(field: Field, value: unknown): string {
  try {
    return checkValue(field, value, "f") === undefined ? "not given" : "taken";
  } catch {
    return "refused";
  }
}

function shown(value: unknown): string {
  const text = typeof value === "string" || typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
