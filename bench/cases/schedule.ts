import { calendar, loadZone, readExceptions, readSchedule } from "../../src/hours";
import { type Case, one, whole } from "../harness/report";

const week = (days: string, open: string, close: string) => ({
  days: days.split(" ").map((day) => ({ day, open, close })),
});
const OFFICE = week("mon tue wed thu fri", "08:00", "17:30");
const ALWAYS = week("mon tue wed thu fri sat sun", "00:00", "23:59");
const HOLIDAYS = [
  { date: "2026-12-24", hours: [{ open: "08:00", close: "12:00" }] },
  { from: "12-25", to: "01-01" },
];

/** The schedule's arithmetic without Node-RED. */
export const schedule: Case = {
  name: "schedule",
  async run() {
    const zone = await loadZone("Europe/Berlin");
    const [exceptions, none] = [readExceptions(HOLIDAYS), readExceptions([])];
    const office = calendar(readSchedule(OFFICE), exceptions, zone);
    const always = readSchedule(ALWAYS);
    const start = Date.UTC(2026, 0, 1);
    const near = nanoseconds(1_000_000, (index) => office(start + index));
    const far = nanoseconds(20_000, (index) => office(start + ((index * 7_919_317) % 31_536_000) * 1000));
    const reading = nanoseconds(20_000, () => calendar(readSchedule(OFFICE), exceptions, zone));
    const search = nanoseconds(200, (index) => calendar(always, none, zone)(start + index));
    return {
      title: "Schedules",
      body: [
        `${whole(near)} ns for an instant near the previous one, ${one(far / 1000)} µs for any instant of the year, ` +
          `${one(reading / 1000)} µs to read a schedule, ${one(search / 1000)} µs to find that a schedule never closes.`,
      ],
      targets: [],
    };
  },
};

function nanoseconds(times: number, work: (index: number) => unknown): number {
  let results = 0;
  const run = () => {
    for (let index = 0; index < times; index += 1) if (work(index)) results += 1;
  };
  run();
  const startedAt = performance.now();
  run();
  const ms = performance.now() - startedAt;
  return results > 0 ? (ms * 1e6) / times : Number.NaN;
}
