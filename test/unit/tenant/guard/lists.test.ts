import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { FieldError, type Source } from "../../../../src/fields";
import { toNumbers } from "../../../../src/fields/kinds/numbers";
import type { Job } from "../../../../src/tenant";
import { NumberGuard } from "../../../../src/tenant/guard/number-guard";
import { NumberList } from "../../../../src/tenant/guard/number-list";
import { Spellings } from "../../../../src/tenant/guard/spellings";

const refusal = (field: string) => (error: unknown) => error instanceof FieldError && error.field === field;
const source = (value: unknown): Source => ({ label: "the dialog", fixed: true, read: () => value });
const callTo = (number: string): Pick<Job, "action" | "request"> => ({
  action: "call-out",
  request: {
    method: "POST",
    path: "/api/v1/call/call-out",
    body: { "to.type": "external", "to.number": number },
  },
});

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
      deepStrictEqual(toNumbers(value, "allow"), entries);
  });

  it("refuses what is no number, and names the entry", () => {
    for (const entry of ["", "  ", "alice", "+*", "**", "1*2", "*1", null, true, -1, 1.5, {}, [], "1".repeat(101)])
      throws(() => toNumbers(["113", "114", entry], "allow"), refusal("allow[2]"), String(entry));
    for (const value of [{}, true, new Set(["113"]), "[113"]) throws(() => toNumbers(value, "block"), refusal("block"));
  });

  it("has at most 100,000 entries", () => {
    const numbers = (count: number) => Array.from({ length: count }, () => "113");
    strictEqual(toNumbers(numbers(100_000), "allow").length, 100_000);
    for (const many of [numbers(100_001), numbers(100_001).join(), " ".repeat(10_000_001)])
      throws(() => toNumbers(many, "allow"), refusal("allow"));
  });

  it("refuses the beginning of all numbers, unless that is written as *", () => {
    const spellings = new Spellings("VN");
    throws(() => new NumberList(["113", "00*"], spellings, "block"), refusal("block[1]"));
    ok(new NumberList(["*"], spellings, "block").has("8413"));
  });

  it("finds numbers and their beginnings among 10,000 entries", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => (n % 2 ? `09${n + 10_000_000}` : `+1 2${n + 10_000_000}*`));
    const guard = new NumberGuard(
      { country: "VN", perNumber: 0, perNumberMs: 0 },
      { allow: source([]), block: source(many) },
    );
    for (const number of ["+84910000001", "0910009999", "+12100000004"]) ok(guard.check(callTo(number)), number);
    for (const number of ["0913100000", "0910000002", "+13100000004"])
      strictEqual(guard.check(callTo(number)), undefined, number);
  });
});
