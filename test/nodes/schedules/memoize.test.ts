import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { ValueError } from "../../../src/fields";
import { memoizeByContent } from "../../../src/runtime/schedules/memoize";

describe("memoizing by content", () => {
  it("reads a value that is refused once, and refuses it each time with an error of its own", () => {
    let reads = 0;
    const read = memoizeByContent((_, field) => {
      reads += 1;
      throw new ValueError("input.hours.icalOften", field, { line: 5 });
    });
    const sources: unknown[] = [];
    for (const value of ["BEGIN:VCALENDAR", "BEGIN:VCALENDAR", Buffer.from("BEGIN:VCALENDAR"), [1], [1]])
      throws(
        () => read(value, "exceptions"),
        (error) => {
          if (!(error instanceof ValueError)) return false;
          sources.push(error.source);
          error.source = "the first that read it";
          return error.path === "exceptions" && error.params["line"] === 5;
        },
      );
    strictEqual(reads, 2);
    deepStrictEqual(new Set(sources), new Set([undefined]));
  });
});
