import { setTimeout as sleep } from "node:timers/promises";
import { NO_TIMINGS, notSent, type TenantClient, type TenantError } from "../../client";
import type { Schedule } from "../../hours";
import { NoSchedule } from "../node-red/no-schedule";
import { findSchedule, type ScheduleKey } from "./find-schedule";
import { type Copy, Followed, SHORTEST_MS } from "./followed";

export type ScheduleCopy = Copy<Schedule, TenantError>;

/** Seconds between two readings of a schedule, unless a gate sets others. */
export const REFRESH_SECONDS = 300;
/** Most schedules that are kept because messages selected them. */
const MAX_KEPT = 1000;
/** The time for which messages wait for a read while the tenant's calls are held because it fails. */
const HELD_MS = 1000;
/** The time for which a failed read is reused for messages, while it is retried in the background. */
const UNKNOWN_FOR_MS = 60_000;

/** One schedule, followed by the gates and calling hours that selected it at deploy. */
class Entry extends Followed<Schedule, NoSchedule> {
  /** Whether the tenant has answered since the last copy that it has no such schedule. */
  #wasMissing = false;
  /** The number of times that it may have changed, and that it had before the last read. */
  #changes = 0;
  #changesRead = 0;
  /** The copy for which messages wait that have none. */
  #awaited: Promise<ScheduleCopy> | undefined;

  constructor(
    private readonly client: TenantClient,
    private readonly key: ScheduleKey,
    private readonly onSkipped: (schedule: Schedule) => void,
  ) {
    super();
  }

  /** Whether it may have changed, and no read that began later has ended. */
  get isOutdated(): boolean {
    return this.#changes !== this.#changesRead;
  }

  override get age(): number {
    return this.isOutdated ? Number.POSITIVE_INFINITY : super.age;
  }

  /** Notes that it may have changed: messages wait for another read, and its followers get one at once. */
  expire(): void {
    this.#changes += 1;
    // A missing schedule may be about to be created.
    if (this.isFollowed) void this.renew(false);
  }

  /**
   * The copy, refreshed in the background if it is older than `refreshMs`. A promise of a new read if there is no copy, or
   * if nobody follows the schedule and the copy is older than twice that time.
   */
  get(refreshMs: number): ScheduleCopy | Promise<ScheduleCopy> {
    const { value, problem } = this;
    if (!(value || problem) || this.isOutdated) return this.#read();
    const due = value && this.failures === 0 ? refreshMs : SHORTEST_MS;
    if (this.age < due) return this;
    const isKeptFresh = value !== undefined && this.isFollowed;
    const answersFor = value ? 2 * refreshMs : refreshMs;
    // Messages must not queue up behind one failed read after the other.
    const answers = isKeptFresh || this.age < (problem ? Math.max(answersFor, UNKNOWN_FOR_MS) : answersFor);
    const reading = this.#read();
    return answers ? this : reading;
  }

  /** A read that messages wait for, but only briefly while the tenant fails: live calls may depend on the decision. */
  #read(): Promise<ScheduleCopy> {
    const reading = this.renew().then(() => true);
    this.#awaited ??= this.#whenRead(reading);
    return this.#awaited;
  }

  async #whenRead(reading: Promise<boolean>): Promise<ScheduleCopy> {
    while (!(await Promise.race([reading, sleep(HELD_MS, false, { ref: false })])))
      if (this.client.lanes.heldUntil !== undefined) break;
    if (this.value || this.problem) return this;
    const why = notSent("ERR_SCHEDULE", "queue", { key: "schedule.held" });
    return { value: undefined, problem: new NoSchedule(why, NO_TIMINGS) };
  }

  protected doubt(): void {
    if (this.problem && !this.value && !this.isOutdated) this.#changes += 1;
  }

  protected async load(isRefresh: boolean): Promise<void> {
    const changes = this.#changes;
    const found = await findSchedule(this.client, this.key);
    // The answer may be from before the change.
    if (changes !== this.#changes) return this.load(isRefresh);
    this.#changesRead = changes;
    this.#awaited = undefined;
    if (found instanceof NoSchedule) {
      this.fail(found, found.why.details.retryAfterMs);
      if (found.why.code !== "ERR_SCHEDULE") return;
      // A missing schedule is served for one more refresh: its successor may just be being created.
      if (this.#wasMissing && isRefresh) this.value = undefined;
      this.#wasMissing = true;
      this.failures = 0;
    } else {
      if (found.skipped) this.onSkipped(found);
      this.#wasMissing = false;
      this.succeed(found);
    }
  }
}

/** The schedules of one tenant: one read serves all gates, and the last copy is kept while the tenant is unreachable. */
export class ScheduleCache {
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();
  /** Reports each schedule that has entries that cannot be read. */
  onSkipped: (schedule: Schedule) => void = () => {};

  constructor(private readonly client: TenantClient) {}

  /** Follows a schedule, as {@link Followed.follow} does. */
  follow(key: ScheduleKey, changed: () => void, refreshMs: number): () => void {
    return this.#entry(key).follow(changed, refreshMs);
  }

  /** A schedule of the tenant has changed. */
  expire(): void {
    for (const entry of this.#entries.values()) entry.expire();
  }

  /** Whether the tenant has answered that it has no such schedule, and none may have changed since. */
  isMissing(key: ScheduleKey): boolean {
    const { isOutdated, value, problem } = this.#entries.get(JSON.stringify(key)) ?? {};
    return !isOutdated && !value && problem?.why.key === "schedule.none";
  }

  /** All copies, as the service gives schedules. */
  get copies(): readonly object[] {
    return [...this.#entries.values()].flatMap(({ value }) => {
      if (!value) return [];
      const { id, name, enabled, days } = value;
      return [{ id, name, enable: enabled ? 1 : 0, days }];
    });
  }

  /** The copy, without a read. */
  peek(key: ScheduleKey): ScheduleCopy | undefined {
    return this.#entries.get(JSON.stringify(key));
  }

  /** The copy, or a promise of a new read. */
  get(key: ScheduleKey, refreshMs: number): ScheduleCopy | Promise<ScheduleCopy> {
    return this.#entry(key).get(refreshMs);
  }

  /** Removes the followers of all schedules. */
  close(): void {
    for (const entry of this.#entries.values()) entry.close();
  }

  #entry(key: ScheduleKey): Entry {
    const name = JSON.stringify(key);
    const entry = this.#entries.get(name) ?? new Entry(this.client, key, (schedule) => this.onSkipped(schedule));
    if (!this.#entries.delete(name) && this.#entries.size >= MAX_KEPT) this.#forgetOldest();
    this.#entries.set(name, entry);
    return entry;
  }

  #forgetOldest(): void {
    for (const [name, entry] of this.#entries) {
      if (entry.isFollowed || entry.renewal) continue;
      this.#entries.delete(name);
      return;
    }
  }
}
