import { toSchedule } from "../../../src/fields";
import { memoizeByContent } from "../../../src/runtime/schedules/memoize";
import { tell } from "./alone";

const SCHEDULES = 80;
const OTHERS = "x".repeat(3 * 2 ** 20);

/** MB that stay in memory after schedules with 3 MB of other properties have come with messages. */
tell(async () => {
  const read = memoizeByContent(toSchedule);
  for (let id = 0; id < SCHEDULES; id += 1) {
    const schedule = { id, days: [{ day: "mon", open: "08:00", close: "17:00" }], others: `${id}${OTHERS}` };
    await read(schedule, "schedule");
  }
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  // The reader itself must live until here.
  return { kept: (heapUsed + external) / 2 ** 20, again: (await read({ days: [] }, "schedule")).days.length };
});
