import type { Schedule } from "../../hours";
import type { TenantClient } from "../../tenant";
import { findSchedule, isMissing, type ScheduleKey } from "./find-schedule";
import { NoSchedule } from "./no-schedule";

/** What is known of a schedule. */
export interface CachedSchedule {
  readonly schedule: Schedule | undefined;
  /** The copy may be out of date: the tenant did not answer, or no longer has it. */
  readonly stale: boolean;
  /** Why there is no fresh copy. */
  readonly problem: NoSchedule | undefined;
}

interface Entry {
  known: CachedSchedule | undefined;
  readAt: number;
  misses: number;
  failures: number;
  reading: Promise<CachedSchedule> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** Refresh times of the gates that chose it when they were deployed, and who hears of each reading. */
  readonly followers: Map<object, { readonly refreshMs: number; readonly changed: () => void }>;
}

/** Schedules that messages chose, kept at most. */
const MOST_KEPT = 1000;
/** A tenant is not asked for a schedule more often, whatever it answered: the shortest refresh that a gate may have. */
const SHORTEST_MS = 5000;
/** For so long a vain reading is the answer to messages, while it is made anew behind them. */
const UNKNOWN_FOR_MS = 60_000;

/** The schedules that gates read from one tenant: one read for all gates, the last copy kept while it is away. */
export class ScheduleCache {
  /** In the order of last use. */
  readonly #entries = new Map<string, Entry>();
  #newest: { readonly name: string; readonly entry: Entry } | undefined;
  /** The tenant's client may be another one after a redeploy. */
  client: TenantClient;
  #closed = false;

  constructor(client: TenantClient) {
    this.client = client;
  }

  /** Reads a schedule now, unless that was done this moment, and again from now on; returns how to stop. */
  follow(key: ScheduleKey, follower: object, refreshMs: number, changed: () => void): () => void {
    const entry = this.#entry(key);
    entry.followers.set(follower, { refreshMs, changed });
    if (age(entry) >= SHORTEST_MS) void this.#read(key, entry, 0);
    else this.#plan(key, entry);
    return () => {
      entry.followers.delete(follower);
      this.#plan(key, entry);
    };
  }

  /** What is in hand, without asking. */
  peek(key: ScheduleKey): CachedSchedule | undefined {
    return this.#entries.get(nameOfKey(key))?.known;
  }

  /**
   * What is in hand, renewed behind the scenes when it is older than `refreshMs`; a reading where nothing is, or only old
   * news: that there is no schedule, or a copy that nobody has kept fresh for twice that time.
   */
  get(key: ScheduleKey, refreshMs: number): CachedSchedule | Promise<CachedSchedule> {
    const entry = this.#entry(key);
    const { known } = entry;
    if (!known) return this.#read(key, entry);
    const due = known.schedule && entry.failures === 0 ? refreshMs : SHORTEST_MS;
    if (age(entry) < due) return known;
    const isKeptFresh = known.schedule !== undefined && entry.followers.size > 0;
    const answersFor = known.schedule ? 2 * refreshMs : refreshMs;
    // Messages must not queue up behind one vain attempt after the other.
    const answers = isKeptFresh || age(entry) < (known.problem ? Math.max(answersFor, UNKNOWN_FOR_MS) : answersFor);
    const reading = this.#read(key, entry);
    return answers ? known : reading;
  }

  close(): void {
    this.#closed = true;
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
  }

  #entry(key: ScheduleKey): Entry {
    const name = nameOfKey(key);
    // Message after message asks for the same one, which then has its place already: a tenth of a gate's time (bench).
    if (this.#newest?.name === name) return this.#newest.entry;
    let entry = this.#entries.get(name);
    if (entry) {
      this.#entries.delete(name);
    } else {
      entry = {
        known: undefined,
        readAt: 0,
        misses: 0,
        failures: 0,
        reading: undefined,
        timer: undefined,
        followers: new Map(),
      };
      if (this.#entries.size >= MOST_KEPT) this.#forgetOldest();
    }
    this.#entries.set(name, entry);
    this.#newest = { name, entry };
    return entry;
  }

  #forgetOldest(): void {
    for (const [name, entry] of this.#entries) {
      if (entry.followers.size > 0 || entry.reading) continue;
      this.#entries.delete(name);
      return;
    }
  }

  /** @param counts what it counts for when the schedule is missing again: a deploy is no refresh */
  #read(key: ScheduleKey, entry: Entry, counts: 0 | 1 = 1): Promise<CachedSchedule> {
    entry.reading ??= findSchedule(this.client, key).then((found) => {
      entry.reading = undefined;
      entry.readAt = Date.now();
      entry.known = this.#settle(entry, found, counts);
      for (const { changed } of entry.followers.values()) changed();
      this.#plan(key, entry);
      return entry.known;
    });
    return entry.reading;
  }

  #settle(entry: Entry, found: Schedule | NoSchedule, counts: 0 | 1): CachedSchedule {
    if (!(found instanceof NoSchedule)) {
      entry.misses = 0;
      entry.failures = 0;
      return { schedule: found, stale: false, problem: undefined };
    }
    const copy = entry.known?.schedule;
    const missing = isMissing(found);
    if (missing) entry.misses = Math.max(1, entry.misses + counts);
    entry.failures = missing ? 0 : entry.failures + 1;
    // A schedule that is gone is served for one more refresh: its successor may be being created right now.
    const kept = missing && entry.misses > 1 ? undefined : copy;
    return { schedule: kept, stale: kept !== undefined, problem: found };
  }

  /** The next reading: at the shortest refresh that a gate wants, sooner while the tenant does not answer. */
  #plan(key: ScheduleKey, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    const refreshes = [...entry.followers.values()].map(({ refreshMs }) => refreshMs);
    if (refreshes.length === 0 || entry.reading || this.#closed) return;
    const refresh = Math.min(...refreshes);
    const wait = entry.failures > 0 ? Math.min(refresh, SHORTEST_MS * 2 ** Math.min(entry.failures - 1, 10)) : refresh;
    entry.timer = setTimeout(() => void this.#read(key, entry), Math.max(0, wait - age(entry)));
  }
}

function nameOfKey(key: ScheduleKey): string {
  return "id" in key ? `id ${key.id}` : `name ${key.name}`;
}

/** Milliseconds since the last answer; without one, or when the clock was put back since, long ago. */
function age({ known, readAt }: Entry): number {
  const passed = Date.now() - readAt;
  return known && passed >= 0 ? passed : Number.POSITIVE_INFINITY;
}
