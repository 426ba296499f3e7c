import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { ValueError } from "../../../src/fields";
import { toPhoneList } from "../../../src/fields/kinds/phone-list";
import { callTo, newGuard } from "../client/guard/guard-of";

const refusal = (field: string) => (error: unknown) => error instanceof ValueError && error.path === field;

describe("a list of phone numbers", () => {
  it("is a list, its JSON text, or a text with separators", () => {
    for (const [value, entries] of [
      [
        ["113", " +84* "],
        ["113", "+84*"],
      ],
      [
        [113, { number: "114", name: "fire" }, { number: 115 }],
        ["113", "114", "115"],
      ],
      ['["113", {"number": "114"}]', ["113", "114"]],
      ["113, 114;115\r\n116\n\n", ["113", "114", "115", "116"]],
      [113n, ["113"]],
      ["*", ["*"]],
      ["\uff0b84\uff0a", ["+84*"]],
      [[], []],
      ["[]", []],
    ] as const)
      deepStrictEqual(toPhoneList(value, "allow"), entries);
  });

  it("refuses what is no number, and names the entry", () => {
    for (const entry of [
      "",
      "  ",
      "alice",
      "+*",
      "**",
      "1*2",
      "*1",
      "84900000001.0",
      null,
      true,
      -1,
      1.5,
      {},
      [],
      "1".repeat(101),
    ])
      throws(() => toPhoneList(["113", "114", entry], "allow"), refusal("allow[2]"), String(entry));
    for (const value of [{}, true, new Set(["113"]), "[113"])
      throws(() => toPhoneList(value, "block"), refusal("block"));
  });

  it("has at most 100,000 entries", () => {
    const numbers = (count: number) => Array.from({ length: count }, () => "113");
    strictEqual(toPhoneList(numbers(100_000), "allow").length, 100_000);
    for (const many of [numbers(100_001), numbers(100_001).join(), " ".repeat(10_000_001)])
      throws(() => toPhoneList(many, "allow"), refusal("allow"));
  });

  it("refuses the beginning of all numbers, unless that is written as *", () => {
    throws(() => newGuard({ country: "VN", block: ["113", "00*"] }), refusal("block[1]"));
  });

  it("refuses a beginning with an extension", () => {
    throws(() => toPhoneList(["0912345678 x1*"], "block"), refusal("block[0]"));
  });

  it("finds numbers and their beginnings among 10,000 entries, and lets others run while it reads them", async () => {
    const block = Array.from({ length: 10_000 }, (_, n) => (n % 2 ? `09${n + 10_000_000}` : `+1 2${n + 10_000_000}*`));
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const guard = newGuard({ country: "VN", block });
    for (const number of ["+84910000001", "0910009999", "+12100000004"])
      strictEqual((await guard.check(callTo(number)))?.details.rule, "block", number);
    clearImmediate(next);
    ok(turns > 2, `${turns} turns of the event loop meanwhile`);
    for (const number of ["0913100000", "0910000002", "+13100000004"])
      strictEqual(guard.check(callTo(number)), undefined, number);
  });

  it("names an entry of a long list that is no number", async () => {
    const guard = newGuard({ allow: Array.from({ length: 20_000 }, (_, n) => (n === 15_000 ? "alice" : "113")) });
    for (let n = 0; n < 2; n += 1) {
      const problem = await guard.check(callTo("113"));
      strictEqual(problem?.code, "ERR_CONFIG");
      strictEqual(problem.details.field, "allow[15000]");
    }
  });
});
