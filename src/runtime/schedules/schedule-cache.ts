import { NO_TIMINGS, notSent, type TenantClient } from "../../client";
import type { Schedule } from "../../hours";
import { NoSchedule } from "../node-red/no-schedule";
import { findSchedule, type ScheduleKey } from "./find-schedule";

/** The last copy of a schedule. */
export interface CachedSchedule {
  readonly schedule: Schedule | undefined;
  /** The copy may be out of date: the tenant did not answer, or no longer has the schedule. */
  readonly stale: boolean;
  /** Why there is no fresh copy. */
  readonly problem: NoSchedule | undefined;
}

class Entry {
  known: CachedSchedule | undefined;
  readAt = 0;
  /** Whether the tenant has answered since the last copy that it has no such schedule. */
  missed = false;
  /** How many reads in a row had no answer. */
  failures = 0;
  reading: Promise<CachedSchedule> | undefined;
  /** What messages without a copy wait for. */
  awaited: Promise<CachedSchedule> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The gates that selected the schedule at deploy: their refresh, and a callback for each read. */
  readonly followers = new Map<object, { readonly refreshMs: number; readonly changed: () => void }>();

  /** Whether a schedule of the tenant has changed, and no read that began later has ended. */
  isOutdated = false;

  constructor(readonly key: ScheduleKey) {}

  /** Milliseconds since the last read; infinite without one, after a change, or if the clock was set back. */
  get age(): number {
    const passed = Date.now() - this.readAt;
    return this.known && !this.isOutdated && passed >= 0 ? passed : Number.POSITIVE_INFINITY;
  }
}

/** Seconds between two readings of a schedule, unless a gate sets others. */
export const REFRESH_SECONDS = 300;
/** Most schedules that are kept because messages selected them. */
const MAX_KEPT = 1000;
/** The shortest refresh of a gate: a schedule is not read more often, whatever the tenant answered. */
const SHORTEST_MS = 5000;
/** How long messages wait for a read while the tenant's calls are held because it fails. */
const HELD_MS = 1000;
/** How long a failed read is reused for messages, while it is retried in the background. */
const UNKNOWN_FOR_MS = 60_000;

/** The schedules of one tenant: one read serves all gates, and the last copy is kept while the tenant is unreachable. */
export class ScheduleCache {
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  /** Called once for a schedule with entries that cannot be read, and again when they change. */
  onSkipped: (schedule: Schedule) => void = () => {};
  /** The skipped entries that were reported. */
  readonly #reported = new Set<string>();
  #closed = false;
  /** How often `expire` was called. */
  #changes = 0;

  constructor(private readonly client: TenantClient) {}

  /** Reads a schedule now, unless it was just read, and at each refresh. Returns a function that ends this. */
  follow(key: ScheduleKey, follower: object, refreshMs: number, changed: () => void): () => void {
    const entry = this.#entry(key);
    entry.followers.set(follower, { refreshMs, changed });
    if (entry.age >= SHORTEST_MS) {
      // It may have been created since: what would be refused without it waits for this read.
      if (entry.known && !entry.known.schedule) entry.isOutdated = true;
      void this.#read(entry, false);
    } else this.#plan(entry);
    return () => {
      entry.followers.delete(follower);
      this.#plan(entry);
    };
  }

  /** A schedule of the tenant has changed: messages wait for another read, and gates and calling hours get one at once. */
  expire(): void {
    this.#changes += 1;
    for (const entry of this.#entries.values()) {
      entry.isOutdated = true;
      // A missing schedule may be about to be created.
      if (entry.followers.size > 0 && !this.#closed) void this.#read(entry, false);
    }
  }

  /** Whether a schedule of the tenant has changed, and this one is still to be read. */
  isOutdated(key: ScheduleKey): boolean {
    return this.#entries.get(nameOfKey(key))?.isOutdated ?? false;
  }

  /** All copies, as the service gives schedules. */
  get copies(): readonly object[] {
    return [...this.#entries.values()].flatMap(({ known }) => {
      if (!known?.schedule) return [];
      const { id, name, enabled, days } = known.schedule;
      return [{ id, name, enable: enabled ? 1 : 0, days }];
    });
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
    if (!known || entry.isOutdated) return this.#awaited(entry);
    const due = known.schedule && entry.failures === 0 ? refreshMs : SHORTEST_MS;
    if (entry.age < due) return known;
    const isKeptFresh = known.schedule !== undefined && entry.followers.size > 0;
    const answersFor = known.schedule ? 2 * refreshMs : refreshMs;
    // Messages must not queue up behind one failed read after the other.
    const answers = isKeptFresh || entry.age < (known.problem ? Math.max(answersFor, UNKNOWN_FOR_MS) : answersFor);
    const reading = this.#awaited(entry);
    return answers ? known : reading;
  }

  /** A read that messages wait for, but only briefly while the tenant fails: live calls may depend on the decision. */
  #awaited(entry: Entry): Promise<CachedSchedule> {
    const reading = this.#read(entry);
    const client = this.client;
    entry.awaited ??= new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const endHeld = () => end(entry.known ?? { schedule: undefined, stale: false, problem: heldProblem() });
      const watch = () => {
        if (client.lanes.heldUntil !== undefined) timer ??= setTimeout(endHeld, HELD_MS);
      };
      const unfollow = client.follow(watch);
      const end = (cached: CachedSchedule) => {
        unfollow();
        clearTimeout(timer);
        resolve(cached);
      };
      watch();
      void reading.then(end);
    });
    return entry.awaited;
  }

  /** Goes on after `close`. */
  reopen(): void {
    this.#closed = false;
  }

  close(): void {
    this.#closed = true;
    for (const entry of this.#entries.values()) clearTimeout(entry.timer);
  }

  #entry(key: ScheduleKey): Entry {
    const name = nameOfKey(key);
    const entry = this.#entries.get(name) ?? new Entry(key);
    if (!this.#entries.delete(name) && this.#entries.size >= MAX_KEPT) this.#forgetOldest();
    this.#entries.set(name, entry);
    return entry;
  }

  #forgetOldest(): void {
    for (const [name, entry] of this.#entries) {
      if (entry.followers.size > 0 || entry.reading) continue;
      this.#entries.delete(name);
      return;
    }
  }

  /** @param isRefresh whether a missing schedule may be dropped; a deploy is no refresh */
  #read(entry: Entry, isRefresh = true): Promise<CachedSchedule> {
    entry.reading ??= this.#find(entry).then((found) => {
      entry.reading = undefined;
      entry.awaited = undefined;
      entry.readAt = Date.now();
      entry.known = this.#settle(entry, found, isRefresh);
      for (const { changed } of entry.followers.values()) changed();
      this.#plan(entry);
      return entry.known;
    });
    return entry.reading;
  }

  /** Reads again if a schedule has changed meanwhile: the answer may be from before. */
  async #find(entry: Entry): Promise<Schedule | NoSchedule> {
    const changes = this.#changes;
    const found = await findSchedule(this.client, entry.key);
    if (changes !== this.#changes) return this.#find(entry);
    entry.isOutdated = false;
    return found;
  }

  #settle(entry: Entry, found: Schedule | NoSchedule, isRefresh: boolean): CachedSchedule {
    if (!(found instanceof NoSchedule)) {
      this.#reportSkipped(found);
      entry.missed = false;
      entry.failures = 0;
      return { schedule: found, stale: false, problem: undefined };
    }
    const missing = found.why.code === "ERR_SCHEDULE";
    // A missing schedule is served for one more refresh: its successor may just be being created.
    const kept = missing && entry.missed && isRefresh ? undefined : entry.known?.schedule;
    entry.missed ||= missing;
    entry.failures = missing ? 0 : entry.failures + 1;
    return { schedule: kept, stale: kept !== undefined, problem: found };
  }

  #reportSkipped(schedule: Schedule): void {
    if (!schedule.skipped) return;
    const skipped = JSON.stringify([schedule.id, schedule.skipped.map(({ key, path }) => [key, path])]);
    if (this.#reported.has(skipped)) return;
    if (this.#reported.size >= MAX_KEPT) this.#reported.clear();
    this.#reported.add(skipped);
    this.onSkipped(schedule);
  }

  /** Schedules the next read: at the shortest refresh of the followers, sooner while the tenant does not answer. */
  #plan(entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    const refreshes = [...entry.followers.values()].map(({ refreshMs }) => refreshMs);
    if (refreshes.length === 0 || entry.reading || this.#closed) return;
    const refresh = Math.min(...refreshes);
    const growing = SHORTEST_MS * 2 ** Math.min(entry.failures - 1, 10);
    const wanted = entry.known?.problem?.why.details.retryAfterMs ?? 0;
    const wait = entry.failures > 0 ? Math.min(refresh, Math.max(growing, wanted)) : refresh;
    entry.timer = setTimeout(() => void this.#read(entry), Math.max(0, wait - entry.age));
  }
}

function heldProblem(): NoSchedule {
  const why = notSent("ERR_SCHEDULE", "queue", { retryable: true, key: "schedule.held" });
  return new NoSchedule(why, NO_TIMINGS);
}

function nameOfKey(key: ScheduleKey): string {
  return "id" in key ? `id ${key.id}` : `name ${key.name}`;
}
