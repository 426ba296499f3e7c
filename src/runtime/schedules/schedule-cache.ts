import type { Schedule } from "../../hours";
import type { TenantClient } from "../../tenant";
import { findSchedule, type ScheduleKey } from "./find-schedule";
import { NoSchedule } from "./no-schedule";

/** The last copy of a schedule. */
export interface CachedSchedule {
  readonly schedule: Schedule | undefined;
  /** The copy may be out of date: the tenant did not answer, or no longer has the schedule. */
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
  /** The gates that selected the schedule at deploy: their refresh, and a callback for each read. */
  readonly followers: Map<object, { readonly refreshMs: number; readonly changed: () => void }>;
}

/** Most schedules that are kept because messages selected them. */
const MOST_KEPT = 1000;
/** The shortest refresh of a gate: a schedule is not read more often, whatever the tenant answered. */
const SHORTEST_MS = 5000;
/** How long a failed read is reused for messages, while it is retried in the background. */
const UNKNOWN_FOR_MS = 60_000;

/** The schedules of one tenant: one read serves all gates, and the last copy is kept while the tenant is unreachable. */
export class ScheduleCache {
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  #newest: { readonly name: string; readonly entry: Entry } | undefined;
  /** Replaced by a redeploy that changes the tenant. */
  client: TenantClient;
  #closed = false;

  constructor(client: TenantClient) {
    this.client = client;
  }

  /** Reads a schedule now, unless it was just read, and at each refresh. Returns a function that ends this. */
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

  /** The copy, without a read. */
  peek(key: ScheduleKey): CachedSchedule | undefined {
    return this.#entries.get(nameOfKey(key))?.known;
  }

  /**
   * The copy, refreshed in the background if it is older than `refreshMs`. A promise of a new read if there is no copy, or
   * if no gate follows the schedule and the copy is older than twice that time.
   */
  get(key: ScheduleKey, refreshMs: number): CachedSchedule | Promise<CachedSchedule> {
    const entry = this.#entry(key);
    const { known } = entry;
    if (!known) return this.#read(key, entry);
    const due = known.schedule && entry.failures === 0 ? refreshMs : SHORTEST_MS;
    if (age(entry) < due) return known;
    const isKeptFresh = known.schedule !== undefined && entry.followers.size > 0;
    const answersFor = known.schedule ? 2 * refreshMs : refreshMs;
    // Messages must not queue up behind one failed read after the other.
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
    // Most messages ask for the same schedule, which is the newest already: a tenth of a gate's time (bench).
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

  /** @param counts how much a missing schedule counts: a deploy is not a refresh */
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
    const missing = found.why.code === "ERR_SCHEDULE";
    if (missing) entry.misses = Math.max(1, entry.misses + counts);
    entry.failures = missing ? 0 : entry.failures + 1;
    // A missing schedule is served for one more refresh: its successor may just be being created.
    const kept = missing && entry.misses > 1 ? undefined : copy;
    return { schedule: kept, stale: kept !== undefined, problem: found };
  }

  /** Schedules the next read: at the shortest refresh of the followers, sooner while the tenant does not answer. */
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

/** Milliseconds since the last read; infinite without one, or if the clock was set back. */
function age({ known, readAt }: Entry): number {
  const passed = Date.now() - readAt;
  return known && passed >= 0 ? passed : Number.POSITIVE_INFINITY;
}
