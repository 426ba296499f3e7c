import { deepStrictEqual, rejects } from "node:assert/strict";
import { dayList } from "../../../src/fields";
import { readerOf, refusal } from "./host";

const FIELDS = { days: dayList() };
const monday = { day: "mon", open: "08:00", close: "17:30" };
const read = async (days: unknown) => (await readerOf(FIELDS, {})({ payload: { days } })).days;

/** Day entries as requests and responses of the service contain them. */
describe("days of a schedule", () => {
  const TAKEN: readonly [title: string, given: unknown, sent: unknown][] = [
    ["an array", [monday], [monday]],
    ["its JSON text", JSON.stringify([monday]), [monday]],
    ["times without a leading zero", [{ ...monday, open: "8:00" }], [monday]],
    ["times with seconds, as they are read", [{ ...monday, open: "08:00:00", close: "17:30:00" }], [monday]],
    ["blanks around them", [{ day: " mon ", open: " 8:00 ", close: "17:30 " }], [monday]],
    [
      "midnight and the last minute",
      [{ ...monday, open: "0:00", close: "23:59" }],
      [{ ...monday, open: "00:00", close: "23:59" }],
    ],
    ...["23:59:59", "24:00:00"].map((close): [string, unknown, unknown] => [
      `${close}, as a schedule that was read may have it`,
      [{ ...monday, close }],
      [{ ...monday, close: "23:59" }],
    ]),
    [
      "a close before its open",
      [{ ...monday, open: "22:00", close: "06:00" }],
      [{ ...monday, open: "22:00", close: "06:00" }],
    ],
    [
      "several entries for a day",
      [monday, { ...monday, open: "18:00", close: "20:00" }],
      [monday, { ...monday, open: "18:00", close: "20:00" }],
    ],
    ["what was read, without what else it holds", [{ id: 3, ...monday, open: "08:00:00", created_at: "x" }], [monday]],
    ["none for not given", [], undefined],
    ["JSON text of none for not given", "[]", undefined],
  ];
  for (const [title, given, sent] of TAKEN) {
    it(`accept ${title}`, async () => deepStrictEqual(await read(given), sent));
  }

  for (const day of ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]) {
    it(`accept ${day}`, async () => deepStrictEqual(await read([{ ...monday, day }]), [{ ...monday, day }]));
  }

  const REFUSED: readonly [given: unknown, field: string][] = [
    ["mon", "days"],
    ["{}", "days"],
    [{ mon: ["08:00", "17:30"] }, "days"],
    [Array.from({ length: 101 }, () => monday), "days"],
    [[monday, "tue"], "days[1]"],
    [[null], "days[0]"],
    [[{ open: "08:00", close: "17:30" }], "days[0].day"],
    ...["Mon", "monday", "1", "", 1, "__proto__"].map((day): [unknown, string] => [
      [{ ...monday, day }],
      "days[0].day",
    ]),
    [[monday, { day: "tue", close: "17:30" }], "days[1].open"],
    ...[
      "24:00",
      "08:00:30",
      "8",
      "8:0",
      "8h",
      "25:00",
      "08:60",
      "08:00:00.0",
      "-8:00",
      "08:00 am",
      8,
      800,
      true,
      {},
      null,
    ].map((open): [unknown, string] => [[{ ...monday, open }], "days[0].open"]),
    ...["24:00", "24:00:01", "23:59:58", "17:30:01", "", "5pm"].map((close): [unknown, string] => [
      [monday, monday, { ...monday, close }],
      "days[2].close",
    ]),
  ];
  for (const [given, field] of REFUSED) {
    it(`refuse ${JSON.stringify(given).slice(0, 90)}`, () =>
      rejects(read(given), refusal(field, `msg.payload.${field}`)));
  }

  it("are a list in the flow file", async () => {
    deepStrictEqual(await readerOf(FIELDS, { days: [monday], daysType: "list" })({}), { days: [monday] });
    const wrong = readerOf(FIELDS, { days: [{ ...monday, open: "24:00" }], daysType: "list" })({});
    await rejects(wrong, refusal("days[0].open", "the dialog"));
  });
});
