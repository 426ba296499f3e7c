import { strictEqual } from "node:assert/strict";
import { maskNumbers } from "../../../src/fields";

/** Logs and errors show only the last three digits of a phone number. Dates are not masked. */
describe("numbers in logs", () => {
  const TABLE: readonly [text: string, masked: string][] = [
    ["0901234567", "•••••••567"],
    ["+84901234567", "+••••••••567"],
    ["+84 (90) 123-45-67", "+•• (••) •••-•5-67"],
    ["090.123.4567 and 0901234568", "•••.•••.•567 and •••••••568"],
    ['{"to.number":"0901234567"}', '{"to.number":"•••••••567"}'],
    ["internal user 12345, queue 9", "internal user 12345, queue 9"],
    ["422 refused", "422 refused"],
    ["2026-11-21", "2026-11-21"],
    ["2026-11-21T09:00:00+07:00", "2026-11-21T09:00:00+07:00"],
    ["2026-11-21 9:00:00.123456789-0730", "2026-11-21 9:00:00.123456789-0730"],
    ["2026-02-30, 2026-13-01/2026-11-21T25:00Z", "2026-02-30, 2026-13-01/2026-11-21T25:00Z"],
    ["12-31 08:00:00", "12-31 08:00:00"],
    ["2026-11-21 0901234567", "••••-••-•• •••••••567"],
    ["2026-11-21T0901234567", "2026-11-21T•••••••567"],
    ["2026-11-21-567", "••••-••-••-567"],
    ["0842026-11-21", "•••••••-•1-21"],
    ["0901-12-31", "••••-•2-31"],
    // Epoch milliseconds look like a phone number that begins with 0084.
    ["1763712000000", "••••••••••000"],
    ["0084901234567", "••••••••••567"],
  ];
  for (const [text, masked] of TABLE) it(`${text} becomes ${masked}`, () => strictEqual(maskNumbers(text), masked));
});
