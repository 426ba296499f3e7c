import { strictEqual, throws } from "node:assert/strict";
import { toInstant, toLocalInstant, ValueError } from "../../../src/fields";

describe("instants of fields", () => {
  it("need an offset, or the wall clock of a gate", () => {
    strictEqual(toInstant("2026-11-23T08:00+07:00", "notAfter"), Date.UTC(2026, 10, 23, 1));
    strictEqual(toInstant("1790000000000", "notAfter"), 1_790_000_000_000);
    strictEqual(toLocalInstant("2026-11-23T08:00", "at"), Date.UTC(2026, 10, 23, 8));
    for (const value of ["2026-11-23T08:00", "1790000000", "179000000000000"])
      throws(() => toInstant(value, "notAfter"), ValueError, value);
    throws(() => toLocalInstant("  ", "at"), ValueError);
  });
});
