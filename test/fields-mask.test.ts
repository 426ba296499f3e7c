import { strictEqual } from "node:assert/strict";
import { maskNumbers } from "../src/fields";

/** Log lines, and errors that may end in one, show the last three digits of a phone number only. */
describe("numbers in logs", () => {
  const TABLE: readonly [text: string, masked: string][] = [
    ["0901234567", "•••••••567"],
    ["+84901234567", "+••••••••567"],
    ["+84 (90) 123-45-67", "+•• (••) •••-•5-67"],
    ["090.123.4567 and 0901234568", "•••.•••.•567 and •••••••568"],
    ['{"to.number":"0901234567"}', '{"to.number":"•••••••567"}'],
    ["internal user 12345, queue 9", "internal user 12345, queue 9"],
    ["422 refused", "422 refused"],
  ];
  for (const [text, masked] of TABLE) it(`${text} reads ${masked}`, () => strictEqual(maskNumbers(text), masked));
});
