import { rejects, strictEqual } from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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

  it("keeps no object that it has read", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const read = memoizeByContent(() => true);
    const readOnce = async () => {
      const value = { days: [] };
      await read(value, "schedule");
      return new WeakRef(value);
    };
    const kept = await readOnce();
    await setImmediate();
    collect();
    strictEqual(kept.deref(), undefined);
    // The reader itself must live until here.
    strictEqual(await read({ days: [] }, "schedule"), true);
  });
});
