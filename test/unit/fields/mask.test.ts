import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { maskNumbers, ValueError } from "../../../src/fields";
import { shownParams } from "../../../src/fields/value-error";

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
    ["+84\u00a0901\u2009234\u202f567", "+••\u00a0•••\u2009•••\u202f567"],
    ["0901\u2013234\u2212567", "••••\u2013•••\u2212567"],
    ["090/123/4567", "•••/•••/•567"],
    ["0901_234_567", "••••_•••_567"],
    ["\uff10\uff19\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17", "•••••••\uff15\uff16\uff17"],
    ["（０９０）１２３４－５６７", "（•••）••••－５６７"],
    ["https://a.example/x?to=%2B84%20901%20234%20567&n=1", "https://a.example/x?to=%2B••%20•••%20•••%20567&n=1"],
    ["https://a.example/x?to=84+901%E2%80%93234%C2%A0567", "https://a.example/x?to=••+•••%E2%80%93•••%C2%A0567"],
    ["to=%30%39%30%31%32%33%34%35%36%37", "to=•••••••%35%36%37"],
    ["to=%EF%BC%90%EF%BC%99%EF%BC%90%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94", "to=••••%EF%BC%92%EF%BC%93%EF%BC%94"],
    ["090\u200b123\u20604567", "•••\u200b•••\u2060•567"],
    // Dates in other spellings stay readable, too.
    ["2026/11/23 and 23/11/2026 08:00", "2026/11/23 and 23/11/2026 08:00"],
    ["24.12.2026 and 1.1.2027, but 0124.12.2026", "24.12.2026 and 1.1.2027, but ••••.••.•026"],
    ["12-24-2026, 24-12-2026 and 2026.12.24", "12-24-2026, 24-12-2026 and 2026.12.24"],
    ["2026-11-23/2026-11-30", "2026-11-23/2026-11-30"],
    ["?at=2026-11-23T08%3A00%3A00%2B07%3A00", "?at=2026-11-23T08%3A00%3A00%2B07%3A00"],
    ["0084901234567", "••••••••••567"],
  ];
  for (const [text, masked] of TABLE) it(`${text} becomes ${masked}`, () => strictEqual(maskNumbers(text), masked));

  it("show a wrong date or time without signs, and the limits of a number", () => {
    const shown = (...error: ConstructorParameters<typeof ValueError>) => shownParams(new ValueError(...error));
    for (const key of ["input.hours.dateFormat", "input.hours.instantFormat"] as const)
      for (const value of ["20261224", "20261224T0900", "202612244", "2026-12-244", "2026-12-244T09:00"])
        strictEqual(shown(key, "", { value })["value"], `"${value}"`);
    strictEqual(shown("input.hours.dateFormat", "", { value: "0901234567" })["value"], '"•••••••567"');
    deepStrictEqual(shown("input.hours.dateFormat", "", { value: [Object.create(null)] })["value"], { word: "list" });
    strictEqual(shown("config.range", "backlog", { from: 0, to: 1_000_000 })["to"], 1_000_000);
  });
});
