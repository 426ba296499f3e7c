import { randomUUID } from "node:crypto";
import type { Acceptance, Cut, Entry, Key, Outcome } from "../entry";
import type {
  Cancelled,
  Hold,
  Leave,
  Limits,
  Listed,
  RequestKeys,
  RestoredState,
  Room,
  SharedStore,
  StoreEvents,
  Which,
} from "../store";
import { acceptanceOf, RECOVERING } from "./acceptance";
import { type Connection, mayHaveArrived, NotSent } from "./connection";
import { type Durability, durabilityOf, evictionOf } from "./durability";
import { Group } from "./group";
import { GroupSettings } from "./group-settings";
import type { News, Progress } from "./lease";
import { listed } from "./listed";
import { Recent, type Taken, type Use } from "./recent";
import { restore } from "./restore";
import { rewritten } from "./rewritten";
import { FORGET_MS, Settlements } from "./settlements";
import { Starts } from "./starts";
import { storedEntry } from "./stored-entry";
import { StoredRecords } from "./stored-records";

/** If an instance has not renewed its lease for this long, another one restores its entries. Milliseconds. */
const LEASE_MS = 15_000;
/** Entries that one function looks at. */
const AT_ONCE = 500;
/** The counts of a busy group are read at most this often. Milliseconds. */
const COUNTS_MS = 100;
/** How long a close waits for Redis to know what was settled. Milliseconds. */
const CLOSE_MS = 2000;

type GroupLimit = keyof Limits;

export interface RedisStoreOptions {
  /** How long the entries of an instance that ended without notice stay its own. Milliseconds. */
  readonly leaseMs?: number;
  /** How far earlier processes have seen the group proceed. */
  readonly progress?: Progress;
  /** The group uses another value for one of the limits than this instance. Called once for each of its deploys. */
  readonly onDifference?: (limit: GroupLimit) => void;
  /** Redis has lost everything, also older keys: the group is paused. */
  readonly onLost?: () => void;
  /** Redis has refused something, or could not be reached; as often as that happens. */
  readonly onFailure?: (error: Error) => void;
  /** Redis works, for the first time or again. */
  readonly onWorks?: () => void;
}

/** Keeps entries in Redis, and shares its limits, keys, pause and hold with all instances of a group. */
export class RedisStore implements SharedStore {
  readonly isDurable = true;
  readonly #group: Group;
  readonly #options: RedisStoreOptions;
  /** Why Redis fails, while it does. */
  #failure: string | undefined;
  readonly #recent = new Recent();
  readonly #renewals: NodeJS.Timeout;
  #events: StoreEvents | undefined;
  readonly #settings: GroupSettings;
  readonly #settlements: Settlements;
  readonly #starts: Starts;
  readonly #records: StoredRecords;
  /** The group's state as Redis knew it last. */
  #news: News | undefined;
  readonly #taken = new Map<string, Taken>();
  /** Ids of entries of which it is not known whether Redis has accepted them. */
  readonly #asked = new Set<string>();
  /** Ids of entries that another instance has left. */
  readonly #restored = new Set<string>();
  /** Keys of requests without entries. */
  readonly #held = new Map<string, Use>();
  readonly keys: RequestKeys = {
    take: async ({ hash, forMs }) => {
      const [at, by] = [Date.now(), randomUUID()];
      const args = ["take", hash, forMs, "", at, by] as const;
      // The same use again is no second use.
      const again = async () => (await this.#group.insist("key", ...args)) as string[] | undefined;
      const acceptance = acceptanceOf(await this.#certain("key", args, again));
      if (acceptance.kind === "accepted") this.#held.set(hash, { hash, forMs, at });
      return acceptance;
    },
    settle: ({ hash, forMs }, outcome) => {
      const use = this.#held.get(hash);
      this.#held.delete(hash);
      if (use) this.#recent.settled(use, outcome);
      void this.#group.insist("key", "settle", hash, forMs, "", use?.at ?? 0, outcome);
    },
    try: async ({ hash, forMs, uses }) =>
      acceptanceOf(await this.#certain("key", ["try", hash, forMs, uses ?? "", 0, ""], async () => undefined)),
  };
  #restoring: Promise<void> | undefined;
  #isFull = false;
  #hasWorked = false;

  /** @param prefix names the group; instances that differ in mode, address or format have different ones */
  constructor(connection: Connection, prefix: string, options: RedisStoreOptions = {}) {
    this.#options = options;
    this.#group = new Group(connection, `{${prefix}}`, options.leaseMs ?? LEASE_MS, options.progress, {
      onInherited: () => this.#inherited(),
      onLost: () => options.onLost?.(),
      parts: () => this.#parts(),
      onNews: (news) => this.#onNews(news),
      onFailure: (error) => this.#failed(error),
    });
    const ask = (...call: Parameters<Group["ask"]>) => this.#ask(...call);
    this.#settings = new GroupSettings(this.#group, (limit) => options.onDifference?.(limit));
    this.#settlements = new Settlements(this.#group);
    this.#starts = new Starts(this.#group, { ready: () => this.#ready(), ask });
    this.#records = new StoredRecords(this.#group, ask);
    const channels = ["wake", "changed"].map((name) => `{${prefix}}:${name}`);
    connection.follow(channels, {
      ready: () => void this.#group.connected(),
      hears: () => this.#group.renewIn(0),
      published: (channel) => {
        if (channel.endsWith(":wake")) this.#events?.retry();
        this.#group.renewIn(channel.endsWith(":wake") ? 0 : COUNTS_MS);
      },
      failed: (error) => {
        if (!connection.isReady) this.#group.disconnected();
        this.#failed(error);
      },
    });
    this.#renewals = setInterval(() => {
      connection.check();
      if (connection.isReady) void this.#group.renew();
    }, this.#group.lease.ms / 5);
  }

  now(): number {
    return this.#group.lease.now();
  }

  /** Whether no other instance can have restored what this one holds. */
  holdsLease(): boolean {
    return this.#group.lease.isHeld;
  }

  start(events: StoreEvents): void {
    this.#events = events;
    if (this.#failure !== undefined) events.onFailure(this.#failure);
  }

  setLimits(limits: Limits): void {
    this.#settings.setLimits(limits);
  }

  async accept(entry: Entry, room?: Room): Promise<Acceptance> {
    await this.#settings.known();
    const at = Date.now();
    const { entries = 0, bytes = 0 } = this.#settings.limits ?? {};
    const outside = room ? [entries - room.entries, bytes - room.bytes] : ["", ""];
    this.#asked.add(entry.id);
    const answer = await this.#certain(
      "accept",
      [entry.id, storedEntry({ ...entry, at }), at, ...outside],
      async () => {
        const [found = "refused"] = ((await this.#group.insist("settle", entry.id, "refused")) ?? []) as string[];
        return found === "refused" ? undefined : found === "inherited" ? [found] : ["accepted", found];
      },
    );
    this.#asked.delete(entry.id);
    if (entry.keys) this.#took(entry, answer, at);
    const acceptance = acceptanceOf(answer);
    if (acceptance.kind === "accepted" && acceptance.replaced)
      this.#recent.add("cut", [acceptance.replaced, "replaced"]);
    return acceptance;
  }

  /** The same again takes nothing more. */
  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const { at } = this.#takenOf(entry);
    const due = storedEntry({ ...entry, keys, isDue: true, content: null });
    const args = [entry.id, due, at, "", ""];
    const again = async () => (await this.#group.insist("accept", ...args)) as string[] | undefined;
    const answer = await this.#certain("accept", args, again);
    this.#took(entry, answer, at);
    return acceptanceOf(answer);
  }

  #took({ id }: Entry, [kind, keys = "[]"]: readonly string[], at: number): void {
    if (kind === "accepted") this.#taken.set(id, { keys: Object.values(JSON.parse(keys)), at });
  }

  #takenOf({ id, keys = [], at = Date.now() }: Entry): Taken {
    return this.#taken.get(id) ?? { keys, at };
  }

  begin(entry: Entry): Promise<Leave> {
    return this.#starts.begin(entry);
  }

  async requeue({ id }: Entry): Promise<void> {
    await this.#settlements.write([id, "waiting"]);
  }

  async settle(entry: Entry, outcome: Outcome): Promise<undefined> {
    const { id } = entry;
    this.#keysEnd(entry, outcome);
    if (this.#restored.delete(id)) this.#recent.add("ended", id);
    await this.#settlements.write([id, outcome]);
    this.#events?.retry();
  }

  forget(entry: Entry): void {
    const { id } = entry;
    // Another instance has ended it, and has given back its keys.
    if (this.#taken.has(id)) this.#keysEnd(entry, "not-applied");
    this.#restored.delete(id);
    this.#settlements.forget(id);
  }

  #keysEnd(entry: Entry, outcome: Outcome): void {
    const { keys, at } = this.#takenOf(entry);
    this.#taken.delete(entry.id);
    for (const { hash, forMs } of keys) this.#recent.settled({ hash, forMs, at }, outcome);
  }

  record(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean> {
    return this.#records.set(name, value, expected);
  }

  note(name: string, note: unknown): Promise<boolean> {
    return this.#records.note(name, note);
  }

  hold({ heldBack, ...changed }: Hold): void {
    if (!heldBack)
      this.#settings.hold({ ...changed, isReleased: heldBack === null }).catch((error: Error) => this.#failed(error));
    else {
      const entries = heldBack.ids.map((id) => [id, "heldBack"] as const);
      const records = heldBack.records.map((name) => [JSON.stringify(name), "late"] as const);
      void this.#settlements.write(...entries, ...records);
    }
  }

  async settleOthers(only: Which["only"], cut: Cut) {
    await this.#group.renew();
    let ended = 0;
    for (const other of this.#group.lease.others)
      for (let from = "-inf"; from !== ""; ) {
        const [next = "", ...ids] = await this.#cut(cut, "", other, only ? 1 : "", from, AT_ONCE);
        ended += ids.length;
        from = next;
      }
    return ended;
  }

  async cancelOthers(name: string): Promise<Cancelled> {
    const [tooLate, ...ids] = await this.#cut("cancelled", name, "", "", "", "");
    return { cancelled: ids.length, tooLate: Number(tooLate) };
  }

  async list(offset: number, limit: number): Promise<readonly Listed[]> {
    await this.#group.renew();
    return listed(this.#group.lease, offset, limit);
  }

  countStart(): void {
    void this.#group.ask("set", "start", "").catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#renewals);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    const end = async () => {
      await this.#starts.end();
      await this.#restoring;
      await this.#settlements.end();
      await this.#group.leave();
    };
    if (this.#group.connection.isReady) await Promise.race([end().catch(() => {}), limit]);
    clearTimeout(timer);
    this.#group.close();
  }

  /** How durable Redis is, if it shows its settings. */
  durability(): Promise<Durability> {
    return durabilityOf(this.#group.connection);
  }

  /** The eviction policy of a Redis that deletes entries when it is full, if it shows its settings. */
  eviction(): Promise<string | undefined> {
    return evictionOf(this.#group.connection);
  }

  /** Resolves when Redis knows this instance. What waited to be accepted goes first. */
  async #ready(): Promise<void> {
    if (await this.#settings.known()) await new Promise(setImmediate);
  }

  /** Asks, and reports what keeps Redis from answering. */
  async #ask(...call: Parameters<Group["ask"]>): Promise<unknown> {
    try {
      return await this.#group.ask(...call);
    } catch (error) {
      this.#failed(error as Error);
      throw new Error(this.#failure ?? (error as Error).message);
    }
  }

  /** Ends entries of others. Returns the answer of Redis: a count or a position, then their ids. */
  async #cut(cut: Cut, ...which: readonly (string | number)[]): Promise<string[]> {
    const answer = (await this.#ask("drop", cut, ...which)) as string[];
    if (answer[0] === "forgotten" || answer[0] === "absent") throw new Error(RECOVERING);
    for (const id of answer.slice(1)) this.#recent.add("cut", [id, cut]);
    return answer;
  }

  /** @param again asks for the answer when the reply was lost */
  async #certain(
    name: "accept" | "key",
    args: readonly (string | number)[],
    again: () => Promise<string[] | undefined>,
  ): Promise<string[]> {
    try {
      const answer = (await this.#group.ask(name, ...args)) as string[];
      if (this.#isFull) {
        this.#isFull = false;
        this.#works();
      }
      return answer;
    } catch (error) {
      this.#failed(error as Error);
      const answer = mayHaveArrived(error) ? await again() : undefined;
      return answer ?? [this.#failure ?? (error as Error).message];
    }
  }

  async #onNews(news: News): Promise<void> {
    this.#recent.forgetOld();
    // The answer may be older than what was restored meanwhile.
    this.#news = this.#restoring && this.#news ? { ...news, others: this.#news.others } : news;
    const isReleased = this.#settings.isReleased(news);
    await this.#settings.write(news);
    for (const cut of new Set(news.cuts.map(([, why]) => why)))
      this.#events?.onSettledElsewhere(
        news.cuts.flatMap(([id, why]) => (why === cut ? [id] : [])),
        cut as Cut,
      );
    for (const [, name, note] of news.notes) this.#events?.onRecordNote(JSON.parse(name), JSON.parse(note));
    this.#group.lease.hasHeard(news.notes);
    if (news.notes.length > 0 || news.cuts.length > 0) this.#group.renewIn(news.cuts.length > 0 ? FORGET_MS * 2 : 0);
    this.#reportGroup();
    if (isReleased) this.#events?.onReleased();
    if (this.#isFull) await this.#group.lease.call("accept", "");
    this.#isFull = false;
    if (news.isRecovering) this.#report(RECOVERING);
    else this.#works();
    if (this.#settings.limits && news.expired !== undefined) this.#restore(news.expired);
    this.#events?.retry();
  }

  #reportGroup(): void {
    if (this.#news) this.#events?.onGroup(this.#settings.stateOf(this.#news));
  }

  #restore(gone: string): void {
    this.#restoring ??= restore(gone, {
      ask: (...args) => this.#group.ask("restore", ...args) as Promise<string[]>,
      restored: this.#restored,
      records: this.#records.values,
      removing: this.#records.removing,
      recent: this.#recent,
      onNote: (name, note) => this.#events?.onRecordNote(name, note),
      onRestored: (left) => this.#onRestored(left),
    })
      .catch((error: Error) => this.#failed(error))
      .finally(() => {
        this.#restoring = undefined;
        this.#group.renewIn(COUNTS_MS);
      });
  }

  /** Entries that were restored here no longer count as waiting at another instance. */
  #onRestored(left: RestoredState): void {
    if (this.#news) {
      const { others } = this.#news;
      const less = (count = 0, change: number) => Math.max(0, count - change);
      const now = this.now();
      const isDated = ({ notBefore = now }: Entry) => notBefore > now;
      this.#news = {
        ...this.#news,
        others: {
          ...others,
          waiting: less(others.waiting, left.waiting.length),
          bytes: less(
            others.bytes,
            left.waiting.reduce((sum, { size }) => sum + size, 0),
          ),
          dated: less(others.dated, left.waiting.filter(isDated).length),
          heldBack: less(others.heldBack, left.waiting.filter(({ heldBack }) => heldBack).length),
        },
      };
      this.#reportGroup();
    }
    this.#events?.onRestored(left);
  }

  #parts(): Iterable<string> {
    const { version = 0, paused = false, heldUntil = "", released = "", limits = [] } = this.#news ?? {};
    const [rate, entries, bytes, places] = limits;
    return rewritten({
      held: this.#events?.held() ?? [],
      takenOf: (entry) => this.#takenOf(entry),
      asked: this.#asked,
      restored: this.#restored,
      keys: this.#held.values(),
      records: this.#records.values,
      recent: this.#recent,
      settings: {
        version,
        paused: paused ? "1" : "",
        heldUntil,
        released,
        ...(rate && { rate, entries, bytes, places }),
      },
    });
  }

  #inherited(): void {
    this.#taken.clear();
    this.#restored.clear();
    this.#held.clear();
    this.#records.values.clear();
    this.#events?.onInherited();
  }

  #failed(error: Error): void {
    if (error instanceof NotSent) return;
    if (error.message.startsWith("OOM ")) this.#isFull = true;
    // The primary has become a replica.
    if (error.message.startsWith("READONLY ")) this.#group.connection.reconnect();
    this.#report(error.message);
    this.#options.onFailure?.(error);
  }

  /** Once, until it works again: a Redis that is away or full makes an error at each attempt. */
  #report(failure: string | undefined): void {
    if ((failure === undefined) === (this.#failure === undefined)) return;
    this.#failure = failure;
    this.#events?.onFailure(failure);
  }

  #works(): void {
    const { isReady, hears } = this.#group.connection;
    if (!this.#group.hasJoined || this.#isFull || !isReady || !hears || this.#news?.isRecovering) return;
    if (this.#hasWorked && this.#failure === undefined) return;
    this.#hasWorked = true;
    this.#report(undefined);
    this.#options.onWorks?.();
  }
}
