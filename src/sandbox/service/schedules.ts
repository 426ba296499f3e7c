import type { Changes } from "./changes";
import { timestamp } from "./envelope";

/** A business hour as reads return it (docs/service-interface.md, "Business hour"). */
export interface Schedule {
  readonly id: number;
  readonly name: string;
  readonly enable: 0 | 1;
  readonly provider_business_hour_id: null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly days: readonly DayEntry[];
}

/** `open` and `close` as `HH:MM:SS`. */
export interface DayEntry {
  readonly day: string;
  readonly open: string;
  readonly close: string;
}

const weekdays = ["mon", "tue", "wed", "thu", "fri"];

/** The schedules of a new sandbox, with the ids 1 and 2. */
export const INITIAL_SCHEDULES: readonly Pick<Schedule, "name" | "days">[] = [
  { name: "Office", days: everyDay(weekdays, ["08:00:00", "12:00:00"], ["13:00:00", "17:30:00"]) },
  // The service has no 24:00, so the day ends with its last minute.
  { name: "Support 24/7", days: everyDay([...weekdays, "sat", "sun"], ["00:00:00", "23:59:00"]) },
];

/** The tenant's schedules, in the order of their ids. An id is never used twice. */
export class ScheduleStore {
  readonly #byId = new Map<number, Schedule>();
  #lastId = 0;
  #bytes = 0;

  constructor(private readonly changes: Changes) {
    this.reset();
  }

  /** Returns to what a new sandbox has. */
  reset(): void {
    this.#byId.clear();
    this.#bytes = 0;
    for (const { name, days } of INITIAL_SCHEDULES) this.add(name, true, days);
  }

  /** Replaces all schedules by others, which have the shape of reads. */
  load(schedules: readonly unknown[]): void {
    this.#byId.clear();
    this.#bytes = 0;
    for (const each of schedules) {
      const { id, name, enable, days } = Object(each);
      if (Number.isInteger(id)) this.#lastId = id - 1;
      this.add(String(name), ![0, false].includes(enable), Array.isArray(days) ? days : []);
    }
    this.#lastId = Math.max(0, ...this.#byId.keys());
  }

  get size(): number {
    return this.#byId.size;
  }

  /** An estimate of the memory that the schedules take. */
  get bytes(): number {
    return this.#bytes;
  }

  add(name: string, enabled: boolean, days: readonly DayEntry[]): Schedule {
    this.#lastId += 1;
    const now = timestamp();
    const schedule: Schedule = {
      id: this.#lastId,
      name,
      enable: enabled ? 1 : 0,
      provider_business_hour_id: null,
      created_at: now,
      updated_at: now,
      days,
    };
    this.#byId.set(schedule.id, schedule);
    this.#bytes += bytesOf(schedule);
    this.changes.next();
    return schedule;
  }

  find(id: number): Schedule | undefined {
    return this.#byId.get(id);
  }

  remove(id: number): boolean {
    const schedule = this.#byId.get(id);
    if (schedule) this.#bytes -= bytesOf(schedule);
    if (schedule) this.changes.next();
    return this.#byId.delete(id);
  }

  all(): Schedule[] {
    return [...this.#byId.values()];
  }
}

/** Estimates bytes. Measured: an entry of a day takes 150 to 200 bytes, a schedule without entries 400. */
function bytesOf({ name, days }: Schedule): number {
  return 400 + 2 * name.length + 200 * days.length;
}

function everyDay(days: readonly string[], ...hours: readonly [open: string, close: string][]): DayEntry[] {
  return days.flatMap((day) => hours.map(([open, close]) => ({ day, open, close })));
}
