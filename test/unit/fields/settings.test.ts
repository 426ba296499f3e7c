import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { choiceOf, FieldError, isTokenHeader, numberIn, toInstant, toLocalInstant } from "../../../src/fields";

describe("Checks of settings", () => {
  it("numbers of a range come from numbers and decimal text", () => {
    const seconds = (value: unknown) => numberIn(value, { from: 5, to: 86_400 });
    deepStrictEqual([5, "5", " 86400 ", 7.5].map(seconds), [5, 5, 86_400, 7.5]);
    deepStrictEqual(["", "  ", undefined, null].map(seconds), [undefined, undefined, undefined, undefined]);
    for (const refused of [4, "86401", "often", "0x10", true, [30], {}, Number.NaN, Number.POSITIVE_INFINITY])
      strictEqual(seconds(refused), Number.NaN);
    strictEqual(numberIn("1.5", { from: 0, to: 9, whole: true }), Number.NaN);
    strictEqual(numberIn("2", { from: 0, to: 9, whole: true }), 2);
  });

  it("headers that HTTP or the client sets itself cannot carry the token", () => {
    for (const name of ["Authentication", "X-Api-Key", "a"]) strictEqual(isTokenHeader(name), true, name);
    for (const name of ["", "Expect", "upgrade", "Keep-Alive", "Accept-Encoding", "HOST", "a b", "ä", "x".repeat(101)])
      strictEqual(isTokenHeader(name), false, name);
  });

  it("a choice is the first one when nothing is given", () => {
    deepStrictEqual(
      [undefined, "", "b", "c"].map((value) => choiceOf(value, ["a", "b"])),
      ["a", "a", "b", undefined],
    );
  });

  it("a text is an instant with an offset, or on the clock of a gate", () => {
    strictEqual(toInstant("2026-11-23T08:00+07:00", "notAfter"), Date.UTC(2026, 10, 23, 1));
    strictEqual(toInstant("1790000000000", "notAfter"), 1_790_000_000_000);
    strictEqual(toLocalInstant("2026-11-23T08:00", "at"), Date.UTC(2026, 10, 23, 8));
    for (const value of ["2026-11-23T08:00", "1790000000", "179000000000000"])
      throws(() => toInstant(value, "notAfter"), FieldError, value);
    throws(() => toLocalInstant("  ", "at"), FieldError);
  });
});
