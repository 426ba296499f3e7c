import { strictEqual, throws } from "node:assert/strict";
import { mock } from "node:test";
import { toInstant, toLocalInstant, toNotBefore, ValueError, type ValueKey } from "../../../src/fields";
import { loadZone, type Zone } from "../../../src/hours";

describe("instants of fields", () => {
  let berlin: Zone;
  const now = Date.UTC(2026, 10, 23, 1);
  before(async () => {
    berlin = await loadZone("Europe/Berlin");
    mock.timers.enable({ apis: ["Date"], now });
  });
  after(() => mock.timers.reset());

  it("go by their offset, or by the wall clock", () => {
    strictEqual(toInstant("2026-11-23T08:00+07:00", "notAfter"), Date.UTC(2026, 10, 23, 1));
    strictEqual(toInstant("1790000000000", "notAfter"), 1_790_000_000_000);
    strictEqual(toLocalInstant("2026-11-23T08:00", "at"), Date.UTC(2026, 10, 23, 8));
    strictEqual(toInstant("2026-07-01T12:00", "notAfter", berlin), Date.UTC(2026, 6, 1, 10));
    for (const value of ["1790000000", "179000000000000"])
      throws(() => toInstant(value, "notAfter"), ValueError, value);
    throws(() => toLocalInstant("  ", "at"), ValueError);
  });

  const day = 86_400_000;
  const read = (value: unknown) => toNotBefore(value, "notBefore", berlin);

  it("of a date may have passed, and are at most 400 days ahead", () => {
    strictEqual(read("2026-03-29T02:30"), Date.UTC(2026, 2, 29, 1, 30), "in a gap, later by the gap");
    strictEqual(read("2026-10-25T02:30"), Date.UTC(2026, 9, 25, 0, 30), "the first of two");
    strictEqual(read(new Date(now + 5)), now + 5);
    strictEqual(read("1970-01-01T00:00Z"), 0);
    strictEqual(read(1e11), 1e11);
    strictEqual(read(now + 400 * day), now + 400 * day);
  });

  const REFUSED: readonly [value: unknown, key: ValueKey][] = [
    [now + 400 * day + 1, "input.hours.instantTooFar"],
    ["2028-01-01T00:00Z", "input.hours.instantTooFar"],
    [1e11 - 1, "input.hours.instantSeconds"],
    [1_790_000_000, "input.hours.instantSeconds"],
    ["2026-11-24", "input.hours.instantTime"],
    [" 2026-11-24 ", "input.hours.instantTime"],
    ["tomorrow", "input.hours.instantFormat"],
    [" ", "input.missing"],
  ];
  for (const [value, key] of REFUSED)
    it(`of a date are refused as ${key}: ${String(value)}`, () =>
      throws(() => read(value), { constructor: ValueError, key, path: "notBefore" }));
});
