import { deepStrictEqual, rejects } from "node:assert/strict";
import { dayList } from "../../../src/fields";
import { readerOf, refusal } from "./host";

const FIELDS = { days: dayList() };
const monday = { day: "mon", open: "08:00", close: "17:30" };
const read = async (days: unknown) => (await readerOf(FIELDS, {})({ payload: { days } })).days;

/** test/unit/hours/reading.test.ts has every entry that is read or refused. */
describe("days of a schedule", () => {
  it("are sent as the service has them, from an array or its JSON text", async () => {
    const given = [{ id: 3, day: " mon ", open: "8:00", close: "17:30:00", created_at: "x" }];
    for (const days of [given, JSON.stringify(given)]) deepStrictEqual(await read(days), [monday]);
  });

  it("are not given if there are none", async () => {
    for (const none of [[], "[]"]) deepStrictEqual(await read(none), undefined);
  });

  for (const [given, field] of [
    [{ mon: ["08:00", "17:30"] }, "days"],
    [[null], "days[0]"],
    [[monday, { day: "tue", close: "17:30" }], "days[1].open"],
  ] as const)
    it(`refuse ${JSON.stringify(given)}`, () => rejects(read(given), refusal(field, `msg.payload.${field}`)));

  it("refuse a property that throws", async () => {
    const get = () => {
      throw new Error("trap");
    };
    await rejects(read([Object.defineProperty({ ...monday }, "close", { get })]), refusal("days", "msg.payload.days"));
  });

  it("are a list in the flow file", async () => {
    deepStrictEqual(await readerOf(FIELDS, { days: [monday], daysType: "list" })({}), { days: [monday] });
    const wrong = readerOf(FIELDS, { days: [{ ...monday, open: "24:00" }], daysType: "list" })({});
    await rejects(wrong, refusal("days[0].open", "the dialog"));
  });
});
