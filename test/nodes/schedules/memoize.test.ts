import { rejects, strictEqual } from "node:assert/strict";
import { ValueError } from "../../../src/fields";
import { memoizeByContent } from "../../../src/runtime/schedules/memoize";

describe("memoizing by content", () => {
  it("reads a value that is refused once, and refuses it each time", async () => {
    let reads = 0;
    const read = memoizeByContent((_, field) => {
      reads += 1;
      throw new ValueError("input.hours.icalOften", field, { line: 5 });
    });
    for (const value of ["BEGIN:VCALENDAR", "BEGIN:VCALENDAR", Buffer.from("BEGIN:VCALENDAR"), [1], [1]])
      await rejects(read(value, "exceptions"), { path: "exceptions", params: { line: 5 } });
    strictEqual(reads, 2);
  });
});
