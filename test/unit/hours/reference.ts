/**
 * A second, slow implementation of business hours: it reads the wall clock of each minute from Intl, and marks each second. It is written
 * from docs/contract/gate.md and shares no code with src/hours, so that the two check each other.
 */

export interface Row {
  day: string;
  open: string;
  close: string;
}

export interface Special {
  date?: string;
  from?: string;
  to?: string;
  hours?: { open: string; close: string }[];
}

const DAY = 1440;
const QUARTER = 15;

/** Converts minutes since 1970 in UTC to those on the wall clock of a zone. Clocks change on quarters of an hour. */
export class Wall {
  readonly #format: Intl.DateTimeFormat;
  readonly #seen = new Map<number, number>();

  constructor(readonly zone: string) {
    this.#format = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
  }

  at(minute: number): number {
    const quarter = Math.floor(minute / QUARTER);
    return this.#read(quarter) + minute - quarter * QUARTER;
  }

  #read(quarter: number): number {
    let wall = this.#seen.get(quarter);
    if (wall === undefined) {
      const text = this.#format.format(quarter * QUARTER * 60_000);
      wall = Date.parse(`${text.replace(" ", "T")}Z`) / 60_000;
      this.#seen.set(quarter, wall);
    }
    return wall;
  }

  /** The minutes in a range at which the clock is put forward or back. */
  changes(from: number, to: number): number[] {
    const found: number[] = [];
    for (let day = from; day < to; day += DAY) {
      if (this.at(day + DAY) - this.at(day) === DAY) continue;
      for (let minute = day; minute < day + DAY; minute += QUARTER) {
        if (this.at(minute + QUARTER) - this.at(minute) !== QUARTER) found.push(minute + QUARTER);
      }
    }
    return found;
  }
}

export interface Walk {
  /** One entry a second, 1 while open. */
  open: Uint8Array;
  /** Whether the date of the first second has an exception. */
  special: boolean;
}

/** Visits `count` seconds, starting with `second`. */
export function walk(rows: Row[], specials: Special[], wall: Wall, second: number, count: number): Walk {
  const from = Math.floor(second / 60);
  // Openings of earlier days may reach into the walk, and those of its last day may end on the next.
  const first = from - 4 * DAY;
  const walls = new Int32Array(Math.ceil(count / 60) + 6 * DAY);
  // Thousands of walks look up some 20,000 minutes each: one look-up is enough for a quarter of an hour.
  for (let index = 0; index < walls.length; index += 1)
    walls[index] = index > 0 && (first + index) % QUARTER > 0 ? (walls[index - 1] ?? 0) + 1 : wall.at(first + index);
  const lastMinute = first + walls.length;

  /** The first minute that shows the time. A time that the clock skips is moved forward by the length of the gap. */
  const minuteOf = (shown: number): number => {
    const exact = walls.indexOf(shown);
    if (exact >= 0) return first + exact;
    const after = walls.findIndex((value) => value > shown);
    if (after < 0) return lastMinute;
    return first + after + (shown - (walls[after - 1] ?? Number.NaN) - 1);
  };

  const open = new Uint8Array(count);
  const secondOf = (midnight: number, shown: number) =>
    minuteOf(midnight + Math.floor(shown / 60)) * 60 + (shown % 60) - second;
  // Every date, also one that the clock skips. The first two days may have begun before the walk.
  for (let midnight = midnightOf(walls[2 * DAY]); midnight <= midnightOf(walls.at(-1)); midnight += DAY) {
    const date = dateOf(midnight);
    const closedNext = specialOn(specials, dateOf(midnight + DAY));
    const cut = closedNext && (closedNext.hours ?? []).length === 0 ? secondOf(midnight + DAY, 0) : count;
    for (const { open: opens, close: closes } of hoursOn(rows, specials, date)) {
      const overnight = clock(closes) > clock(opens) ? 0 : DAY;
      const end = secondOf(midnight + overnight, /^23:59(:00)?$/.test(closes) ? DAY * 60 : clock(closes));
      open.fill(1, Math.max(secondOf(midnight, clock(opens)), 0), Math.max(Math.min(end, cut), 0));
    }
  }
  return { open, special: specialOn(specials, dateOf(wall.at(from))) !== undefined };
}

function midnightOf(wall = Number.NaN): number {
  return Math.floor(wall / DAY) * DAY;
}

function hoursOn(rows: Row[], specials: Special[], date: string): { open: string; close: string }[] {
  const special = specialOn(specials, date);
  if (special) return special.hours ?? [];
  const weekday = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][new Date(date).getUTCDay()];
  return rows.filter(({ day }) => day === weekday);
}

/** The exception of a date, in the order date, range, yearly date, yearly range. */
function specialOn(specials: Special[], date: string): Special | undefined {
  const yearly = date.slice(5);
  const between = (text: string, { from = "?", to = "?" }: Special) =>
    from.length === text.length && (from <= to ? from <= text && text <= to : text >= from || text <= to);
  return (
    specials.find((special) => special.date === date) ??
    specials.find((special) => between(date, special)) ??
    specials.find((special) => special.date === yearly) ??
    specials.find((special) => between(yearly, special))
  );
}

/** Counts seconds since midnight. The last second of a day is its end. */
function clock(time: string): number {
  if (time === "23:59:59") return clock("24:00");
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  return (hour * 60 + minute) * 60 + second;
}

function dateOf(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(0, 10);
}
