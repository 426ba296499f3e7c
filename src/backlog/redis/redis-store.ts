import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Acceptance, Cut, Entry, Key, Outcome } from "../entry";
import { AGAIN } from "../records";
import type { Cancelled, Hold, Leave, Limits, Room, SharedStore, StoreEvents, WaitingEntry, Which } from "../store";
import type { Connection } from "./connection";
import { acceptanceOf, listed, RECOVERING, Settlements, Starts, storedEntry } from "./entries";
import { GroupLines } from "./group-lines";
import { GroupSettings, requestKeys } from "./group-state";
import { Health, type HealthListener } from "./health";
import { Group, hasForgotten, Lease, type News, type Progress } from "./membership";
import { Holdings, restore } from "./recovery";
import { UnknownEntries } from "./unknown-entries";

/** If an instance has not renewed its lease for this long, another one restores its entries. Milliseconds. */
const LEASE_MS = 15_000;
/** Entries that one function looks at. */
const AT_ONCE = 500;
/** The counts of a busy group are read at most this often. Milliseconds. */
const COUNTS_MS = 100;
/** The time for which a close waits for Redis to know what was settled. Milliseconds. */
const CLOSE_MS = 2000;

export interface RedisStoreOptions extends Pick<HealthListener, "onFailure" | "onWorks"> {
  /** The time for which the entries of an instance that ended without notice stay its own. Milliseconds. */
  readonly leaseMs?: number;
  /** The progress of the group that earlier processes have seen. */
  readonly progress?: Progress;
  /** The group uses another value for one of the limits than this instance. Called once for each of its deploys. */
  readonly onDifference?: (limit: keyof Limits) => void;
  /** Redis has lost everything, also older keys: the group is paused. */
  readonly onLost?: () => void;
}

/** Keeps entries in Redis, and shares its limits, keys, pause and hold with all instances of a group. */
export class RedisStore implements SharedStore {
  readonly isDurable = true;
  readonly lease: Lease;
  readonly #group: Group;
  readonly #health: Health;
  readonly #holdings = new Holdings();
  readonly #renewals: NodeJS.Timeout;
  #events: StoreEvents | undefined;
  readonly #settings: GroupSettings;
  readonly #settlements: Settlements;
  readonly #starts: Starts;
  readonly unknown: UnknownEntries;
  readonly keys: SharedStore["keys"];
  readonly lines: GroupLines;
  #restoring: Promise<void> | undefined;
  readonly countStart = () => this.#group.ask("set", "start", "").catch(() => {});

  /** @param prefix names the group; instances that differ in mode, address or format have different ones */
  constructor(connection: Connection, prefix: string, options: RedisStoreOptions = {}) {
    this.lease = new Lease(connection, `{${prefix}}`, options.leaseMs ?? LEASE_MS, options.progress);
    this.#group = new Group(connection, this.lease, {
      onInherited: () => {
        this.#holdings.clear();
        this.#events?.onInherited();
      },
      onLost: () => options.onLost?.(),
      parts: () => this.#holdings.parts(this.#events?.held() ?? [], this.#settings.asWritten, this.unknown),
      onNews: (news) => this.#onNews(news),
      onFailure: (error) => this.#health.failed(error),
    });
    this.lines = new GroupLines(connection, `{${prefix}}`);
    this.#health = new Health(this.#group, {
      ...options,
      onChange: (failure) => this.#events?.onFailure(failure),
      onWorks: () => {
        this.lines.hear();
        options.onWorks?.();
      },
    });
    this.#settings = new GroupSettings(this.#group, (limit) => options.onDifference?.(limit));
    this.#settlements = new Settlements(this.#group, () => this.#events?.onUnknownFull());
    this.unknown = new UnknownEntries(this.#group, this.#health, (entry, isUsed) =>
      this.#holdings.settled(entry, isUsed ? "applied" : "not-applied"),
    );
    this.#starts = new Starts(this.#group, this.#health, async () => {
      // What waited to be accepted goes first.
      if (await this.#settings.known()) await new Promise(setImmediate);
    });
    this.keys = requestKeys(this.#group, this.#health, this.#holdings);
    const channels = ["wake", "changed", "blocked"].map((name) => `{${prefix}}:${name}`);
    connection.follow(channels, {
      ready: () => void this.#group.connected(),
      hears: () => this.#group.renewIn(0),
      published: (channel, message) => {
        if (channel.endsWith(":blocked")) return this.lines.hear(message);
        if (channel.endsWith(":wake")) this.#events?.retry();
        this.#group.renewIn(channel.endsWith(":wake") ? 0 : COUNTS_MS);
      },
      failed: (error) => {
        if (!connection.isReady) this.#group.disconnected();
        this.#health.failed(error);
      },
    });
    this.#renewals = setInterval(() => {
      connection.check();
      if (connection.isReady) void this.#group.renew();
    }, this.lease.ms / 5);
  }

  start(events: StoreEvents): void {
    this.#events = events;
    if (this.#health.failure !== undefined) events.onFailure(this.#health.failure);
  }

  setLimits(limits: Limits): void {
    this.#settings.setLimits(limits);
  }

  async accept(entry: Entry, room?: Room): Promise<Acceptance> {
    await this.#settings.known();
    const at = Date.now();
    const { entries = 0, bytes = 0 } = this.#settings.limits ?? {};
    const outside = room ? [entries - room.entries, bytes - room.bytes] : ["", ""];
    this.#holdings.asked.add(entry.id);
    const answer = await this.#health.certain(
      "accept",
      [entry.id, storedEntry({ ...entry, at }), at, ...outside],
      async () => {
        const [found = "refused"] = ((await this.#group.insist("settle", entry.id, "refused")) ?? []) as string[];
        return found === "refused" ? undefined : found === "inherited" ? [found] : ["accepted", found];
      },
    );
    this.#holdings.asked.delete(entry.id);
    if (entry.keys) this.#holdings.took(entry, answer, at);
    const acceptance = acceptanceOf(answer);
    if (acceptance.kind === "accepted" && entry.again) this.unknown.decided(entry.again, `call-again ${entry.id}`);
    else if (acceptance.kind === "accepted" && acceptance.replaced)
      this.#holdings.recent.add("cut", acceptance.replaced, "replaced");
    return acceptance;
  }

  /** The same again takes nothing more. */
  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const { at } = this.#holdings.takenOf(entry);
    const due = storedEntry({ ...entry, keys, isDue: true, content: null });
    const answer = await this.#health.certain("accept", [entry.id, due, at, "", ""]);
    this.#holdings.took(entry, answer, at);
    return acceptanceOf(answer);
  }

  begin(entry: Entry, waits: boolean): Promise<Leave> {
    return this.#starts.begin(entry, waits);
  }

  async requeue({ id }: Entry, isRefused: boolean): Promise<void> {
    await this.#settlements.write([id, isRefused ? "behind" : "waiting"]);
  }

  async settle(entry: Entry, outcome: Outcome): Promise<undefined> {
    const { id, unknown } = entry;
    if (unknown) this.unknown.keep({ ...entry, ...this.#holdings.takenOf(entry) });
    this.#holdings.settled(entry, outcome);
    if (this.#holdings.restored.delete(id)) this.#holdings.recent.add("ended", id);
    await this.#settlements.write([id, unknown ? `${outcome} ${JSON.stringify(unknown)}` : outcome]);
    this.#events?.retry();
  }

  forget(entry: Entry): void {
    this.#holdings.reported(entry);
    void this.#settlements.write([entry.id, "forgotten"]);
  }

  /** Names and values are JSON in Redis. */
  async record(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean> {
    const { records, removing } = this.#holdings;
    const [key, json] = [JSON.stringify(name), JSON.stringify(value)];
    if (value === undefined) {
      records.delete(key);
      removing.add(key);
      const isRemoved = (await this.#group.insist("record", "remove", key, "", "")) === 1;
      removing.delete(key);
      return isRemoved;
    }
    const isMine = await this.#answer(expected, key, json, this.lease.instance);
    if (isMine) records.set(key, json);
    else records.delete(key);
    return isMine;
  }

  note(name: string, note: unknown): Promise<boolean> {
    return this.#answer(note === AGAIN ? AGAIN : "note", JSON.stringify(name), JSON.stringify(note), randomUUID());
  }

  /** An unknown answer must not count as a refusal: the owner would give up its record. */
  async #answer(...args: readonly string[]): Promise<boolean> {
    let answer = await this.#health.ask("record", ...args);
    // What it was notified of may end what it is about to do.
    for (; answer === "noted"; answer = await this.#health.ask("record", ...args)) await this.#group.renew();
    if (answer !== 0 && answer !== 1) throw new Error(RECOVERING);
    return answer === 1;
  }

  hold({ heldBack, released, ...changed }: Hold): void {
    const late = heldBack ?? released;
    if (late) {
      const [ofEntries, ofRecords] = heldBack ? ["heldBack", "late"] : ["released", "released"];
      const records = late.records.map((name) => [JSON.stringify(name), ofRecords] as const);
      void this.#settlements.write(...late.ids.map((id) => [id, ofEntries] as const), ...records);
    } else {
      this.#settings.hold({ ...changed, isReleased: heldBack === null }).catch((error) => this.#health.failed(error));
    }
  }

  async dropOthers(only: Which["only"]) {
    await this.#group.renew();
    let ended = 0;
    for (const other of this.lease.others)
      for (let from = "-inf"; from !== ""; ) {
        const [next = "", ...ids] = await this.#cut("dropped", "", other, only ? 1 : "", from, AT_ONCE);
        ended += ids.length;
        from = next;
      }
    return ended;
  }

  async cancelOthers(name: string): Promise<Cancelled> {
    const [tooLate, ...ids] = await this.#cut("cancelled", name, "", "", "", "");
    return { cancelled: ids.length, tooLate: Number(tooLate) };
  }

  async list(offset: number, limit: number): Promise<readonly WaitingEntry[]> {
    await this.#group.renew();
    return listed(this.lease, offset, limit);
  }

  async changeTrouble(known: string, next: string): Promise<string> {
    const found = (await this.#group.ask("set", "known", known, "trouble", next)) as string;
    if (hasForgotten(found)) throw new Error(RECOVERING);
    const now = found === "set" ? next : found;
    this.#settings.knowsTrouble(now);
    return now;
  }

  async close(): Promise<void> {
    clearInterval(this.#renewals);
    const end = async () => {
      await this.#starts.asking;
      await this.#restoring;
      await this.#settlements.end();
      await this.#group.leave();
    };
    const limit = sleep(CLOSE_MS, undefined, { ref: false });
    if (this.#group.connection.isReady) await Promise.race([end().catch(() => {}), limit]);
    this.#group.close();
  }

  /** Ends entries of others. Returns the answer of Redis: a count or a position, then their ids. */
  async #cut(cut: Cut, ...which: readonly (string | number)[]): Promise<string[]> {
    const answer = (await this.#health.ask("drop", cut, ...which)) as string[];
    if (hasForgotten(answer)) throw new Error(RECOVERING);
    for (const id of answer.slice(1)) this.#holdings.recent.add("cut", id, cut);
    return answer;
  }

  async #onNews(news: News): Promise<void> {
    this.#holdings.recent.forgetOld();
    this.#health.isRecovering = news.isRecovering;
    const isReleased = this.#settings.heard(news);
    await this.#settings.write(news);
    for (const cut of new Set(news.cuts.map(([, why]) => why)))
      this.#events?.onSettledElsewhere(
        news.cuts.flatMap(([id, why]) => (why === cut ? [id] : [])),
        cut as Cut,
      );
    for (const [, name, note] of news.notes) this.#events?.onRecordNote(JSON.parse(name), JSON.parse(note));
    this.lease.hasHeard(news.notes);
    if (news.notes.length > 0 || news.cuts.length > 0) this.#group.renewIn(news.cuts.length > 0 ? 2 * COUNTS_MS : 0);
    await this.unknown.sync(news);
    if (this.#settings.state) this.#events?.onGroup(this.#settings.state);
    if (isReleased) this.#events?.onReleased();
    if (this.#health.isFull) await this.lease.call("accept", "");
    this.#health.isFull = false;
    if (news.isRecovering) this.#health.report(RECOVERING);
    else this.#health.works();
    if (this.#settings.limits && news.expired !== undefined) this.#restore(news.expired);
    this.#events?.retry();
  }

  #restore(gone: string): void {
    this.#restoring ??= restore(gone, this.#holdings, {
      ask: (...args) => this.#group.ask("restore", ...args) as Promise<string[]>,
      onNote: (name, note) => this.#events?.onRecordNote(name, note),
      onRestored: (left) => this.#events?.onRestored(left),
    })
      .catch((error: Error) => this.#health.failed(error))
      .then((hasRestored) => {
        this.#restoring = undefined;
        // What was restored still counts as another's. If nothing was, Redis or another instance is busy with it.
        this.#group.renewIn(hasRestored ? 0 : COUNTS_MS);
      });
  }
}
