import fc from "fast-check";
import { loadZone, readExceptions, readGivenSchedule, type Zone } from "../../../src/hours";
import { type Row, type Special, Wall } from "./reference";

/** Zones of row 25 of docs/faults.md, and others whose clocks change by odd amounts, at midnight, or for a month of fasting. */
const ZONES = [
  "UTC",
  "Asia/Ho_Chi_Minh",
  "Asia/Kolkata",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "America/St_Johns",
  "Africa/Casablanca",
  "America/Santiago",
  "Asia/Beirut",
  "America/Havana",
];

export const MINUTE = 60_000;
const DAY = 1440;
export const FIRST = Date.UTC(2025, 0, 1) / MINUTE;
export const LAST = Date.UTC(2028, 0, 1) / MINUTE;

const walls = ZONES.map((zone) => new Wall(zone));
const changes = new Map(walls.map((wall) => [wall, wall.changes(FIRST, LAST)]));
const loaded = new Map<string, Zone>();
before(async () => {
  for (const name of ZONES) loaded.set(name, await loadZone(name));
});

/** A schedule, its exceptions and a zone, as the code under test reads them. */
export const read = (days: object[], specials: object[], zone: string) =>
  [readGivenSchedule({ days }), readExceptions(specials), loaded.get(zone) as Zone] as const;

const two = (value: number) => String(value).padStart(2, "0");
const time = fc
  .oneof(
    { arbitrary: fc.nat(4 * 60 - 1), weight: 4 },
    { arbitrary: fc.nat(DAY - 1), weight: 4 },
    { arbitrary: fc.constantFrom(0, DAY - 1, DAY - 30), weight: 2 },
  )
  .map((minutes) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
/** A time as the service may give it. */
const givenTime = fc.oneof(
  { arbitrary: time, weight: 3 },
  { arbitrary: fc.tuple(time, fc.nat(59)).map(([minute, second]) => `${minute}:${two(second)}`), weight: 3 },
  { arbitrary: fc.constantFrom("23:59:59", "24:00:00", "24:00"), weight: 1 },
);
const day = fc.constantFrom("mon", "tue", "wed", "thu", "fri", "sat", "sun");
export const rows: fc.Arbitrary<Row[]> = fc.array(fc.record({ day, open: givenTime, close: givenTime }), {
  maxLength: 12,
  size: "max",
});

/** A zone and a minute in it: half of them within two days of a change of the clock. */
export const places = fc.constantFrom(...walls).chain((wall) => {
  const anywhere = fc.integer({ min: FIRST, max: LAST });
  const near = changes.get(wall) ?? [];
  if (near.length === 0) return fc.tuple(fc.constant(wall), anywhere);
  const around = fc.tuple(fc.constantFrom(...near), fc.integer({ min: -2 * DAY, max: 2 * DAY }));
  return fc.tuple(
    fc.constant(wall),
    fc.oneof(
      anywhere,
      around.map(([at, off]) => at + off),
    ),
  );
});

export function specialsNear(minute: number): fc.Arbitrary<Special[]> {
  const dates = (from: number, to: number) =>
    fc
      .integer({ min: from, max: to })
      .map((days) => new Date((minute + days * DAY) * MINUTE).toISOString().slice(0, 10));
  const ends = fc.tuple(dates(-3, 0), dates(0, 3));
  const own = fc.option(fc.array(fc.record({ open: time, close: time }), { maxLength: 3 }), { nil: undefined });
  const span = fc.oneof(
    dates(-2, 2).map((date) => ({ date })),
    dates(-2, 2).map((date) => ({ date: date.slice(5) })),
    ends.map(([from, to]) => ({ from, to })),
    ends.map(([from, to]) => ({ from: from.slice(5), to: to.slice(5) })),
  );
  return fc.array(
    fc.tuple(span, own).map(([when, times]) => (times ? { ...when, hours: times } : when)),
    { maxLength: 4 },
  );
}
