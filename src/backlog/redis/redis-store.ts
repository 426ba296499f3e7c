import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Acceptance, Cut, Entry, Key, Outcome } from "../entry";
import type { Cancelled, GroupState, Leave, Limits, Listed, RestoredState, Store, StoreEvents } from "../store";
import { acceptanceOf, RECOVERING } from "./acceptance";
import { type Connection, mayHaveArrived, NotSent } from "./connection";
import { type Durability, durabilityOf, evictionOf } from "./durability";
import { FailureReporter } from "./failure-reporter";
import { Group } from "./group";
import type { News } from "./lease";
import { listed } from "./listed";
import { Recent, type Taken, type Use } from "./recent";
import { restore } from "./restore";
import { rewritten } from "./rewritten";
import { storedEntry } from "./stored-entry";

/** What an instance holds goes to another one when it has not renewed its lease for this long. Milliseconds. */
const LEASE_MS = 15_000;
/** Entries that one function looks at. */
const AT_ONCE = 500;
/** The counts of a busy group are read at most this often. Milliseconds. */
const COUNTS_MS = 100;
/** How long the end of a report need not be written down. Milliseconds. */
const FORGET_MS = 100;
/** How long a close waits for Redis to know what was settled. Milliseconds. */
const CLOSE_MS = 2000;

export type GroupLimit = keyof Limits;

export interface RedisStoreOptions {
  readonly leaseMs?: number;
  /** The group uses another value for one of the limits than this instance. Called once for each of its deploys. */
  readonly onDifference?: (limit: GroupLimit) => void;
  /** Redis has lost everything: the group is paused. */
  readonly onLost?: () => void;
  /** Redis has refused something, or could not be reached; as often as that happens. */
  readonly onFailure?: (error: Error) => void;
  /** Redis works, for the first time or again. */
  readonly onWorks?: () => void;
}

/** Keeps entries in Redis, and shares its limits, keys, pause and hold with all instances of a group. */
export class RedisStore implements Store {
  readonly engine = "redis";
  readonly isDurable = true;
  readonly leadMs = 50;
  readonly #group: Group;
  readonly #options: RedisStoreOptions;
  readonly #failures: FailureReporter;
  readonly #recent = new Recent();
  readonly #renewals: NodeJS.Timeout;
  #events: StoreEvents | undefined;
  #limits: Limits | undefined;
  /** Redis does not know these limits yet. */
  #areLimitsNew = false;
  readonly #differences = new Set<string>();
  /** Changes of the group's state that Redis does not know yet. */
  #wanted: Record<string, string> = {};
  /** What it was told last, and when: news that were asked for before do not know it. Monotonic milliseconds. */
  #told: { readonly changes: Record<string, string>; readonly at: number } = { changes: {}, at: -Infinity };
  /** The group's state as Redis knew it last. */
  #news: News | undefined;
  readonly #taken = new Map<string, Taken>();
  /** Ids of entries that another instance has left. */
  readonly #restored = new Set<string>();
  /** Keys of requests without entries. */
  readonly #held = new Map<string, Use>();
  /** Values of the records of this instance, by name, both as JSON. */
  readonly #records = new Map<string, string>();
  readonly #removing = new Set<string>();
  #beginning: { readonly entry: Entry; readonly resolve: (leave: Leave) => void }[] = [];
  #askingToBegin: Promise<void> | undefined;
  /** What became of entries, for the next request. */
  #settling: [id: string, what: string][] = [];
  #settled: Promise<unknown> | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  #restoring: Promise<void> | undefined;
  /** When what is held back was let go last, as Redis names it. */
  #released = "";
  #isFull = false;
  #hasWorked = false;

  /** @param prefix names the group; instances that differ in mode, address or format have different ones */
  constructor(connection: Connection, prefix: string, options: RedisStoreOptions = {}) {
    this.#options = options;
    this.#failures = new FailureReporter((reason) => this.#events?.onFailure(reason));
    this.#group = new Group(connection, `{${prefix}}`, options.leaseMs ?? LEASE_MS, {
      onInherited: () => this.#inherited(),
      onLost: () => options.onLost?.(),
      parts: () => this.#parts(),
      onNews: (news) => this.#onNews(news),
      onFailure: (error) => this.#failed(error),
    });
    connection.tell({
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
    connection.listen(["wake", "changed"].map((name) => `{${prefix}}:${name}`));
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
    if (this.#failures.reason !== undefined) events.onFailure(this.#failures.reason);
  }

  setLimits(limits: Limits): void {
    this.#limits = limits;
    this.#areLimitsNew = true;
    this.#differences.clear();
    if (this.#group.connection.isReady)
      void this.#group.renew().then(() => this.#areLimitsNew && this.#group.renewIn(0));
  }

  async accept(entry: Entry, room: Pick<Limits, "entries" | "bytes"> | undefined): Promise<Acceptance> {
    if (this.#areLimitsNew) await this.#joined();
    const at = Date.now();
    const { entries = 0, bytes = 0 } = this.#limits ?? {};
    const outside = room ? [entries - room.entries, bytes - room.bytes] : ["", ""];
    const answer = await this.#certain("accept", [entry.id, storedEntry(entry), at, ...outside], async () => {
      const [found] = ((await this.#group.insist("settle", entry.id, "refused")) ?? []) as string[];
      return found === "accepted" ? ["accepted", JSON.stringify(entry.keys ?? [])] : undefined;
    });
    if (entry.keys) this.#took(entry, answer, at);
    const acceptance = acceptanceOf(answer);
    if (acceptance.kind === "accepted" && acceptance.replaced)
      this.#recent.add("cut", [acceptance.replaced, "replaced"]);
    return acceptance;
  }

  /** The same again takes nothing more. */
  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const at = Date.now();
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

  /** Those of one moment are asked for together, and one request after the other, so that they begin in order. */
  begin(entry: Entry): Promise<Leave> {
    return new Promise((resolve) => {
      this.#beginning.push({ entry, resolve });
      this.#askToBegin();
    });
  }

  async requeue({ id }: Entry): Promise<void> {
    await this.#write(id, "waiting");
  }

  async settle(entry: Entry, outcome: Outcome): Promise<void> {
    const { id } = entry;
    const { keys, at } = this.#taken.get(id) ?? { keys: entry.keys ?? [], at: 0 };
    this.#taken.delete(id);
    for (const { hash, forMs } of keys) this.#recent.add("use", { hash, forMs, at, outcome });
    if (this.#restored.delete(id)) this.#recent.add("ended", id);
    await this.#write(id, outcome);
    this.#events?.retry();
  }

  forget({ id }: Entry): void {
    const ended = this.#taken.get(id);
    // Another instance has ended it, and has given back its keys.
    for (const { hash, forMs } of ended?.keys ?? [])
      this.#recent.add("use", { hash, forMs, at: ended?.at ?? 0, outcome: "not-applied" });
    this.#taken.delete(id);
    this.#restored.delete(id);
    this.#settling.push([id, "forgotten"]);
    this.#forgetting ??= setTimeout(() => {
      this.#forgetting = undefined;
      void this.#flush();
    }, FORGET_MS);
  }

  async takeKey({ hash, forMs }: Key): Promise<Acceptance> {
    const [at, by] = [Date.now(), randomUUID()];
    const args = ["take", hash, forMs, "", at, by] as const;
    // The same use again is no second use.
    const again = async () => (await this.#group.insist("key", ...args)) as string[] | undefined;
    const acceptance = acceptanceOf(await this.#certain("key", args, again));
    if (acceptance.kind === "accepted") this.#held.set(hash, { hash, forMs, at });
    return acceptance;
  }

  settleKey({ hash, forMs }: Key, outcome: Outcome): void {
    const use = this.#held.get(hash);
    this.#held.delete(hash);
    if (use) this.#recent.add("use", { ...use, outcome });
    void this.#group.insist("key", "settle", hash, forMs, "", 0, outcome);
  }

  async tryKey({ hash, forMs, uses }: Key): Promise<Acceptance> {
    return acceptanceOf(await this.#certain("key", ["try", hash, forMs, uses ?? "", 0, ""], async () => undefined));
  }

  async setRecord(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean> {
    const [key, json] = [JSON.stringify(name), JSON.stringify(value)];
    const verb = value === undefined ? "remove" : expected;
    if (verb === "remove") {
      this.#records.delete(key);
      this.#removing.add(key);
      const isRemoved = (await this.#group.insist("record", verb, key, "", "")) === 1;
      this.#removing.delete(key);
      return isRemoved;
    }
    const isMine = await this.#askRecord(verb, key, json, "");
    if (isMine) this.#records.set(key, json);
    else this.#records.delete(key);
    return isMine;
  }

  async note(name: string, note: unknown): Promise<boolean> {
    return this.#askRecord("note", JSON.stringify(name), JSON.stringify(note), randomUUID());
  }

  setState({ paused, heldUntil }: { readonly paused?: boolean; readonly heldUntil?: number | null }): void {
    if (paused !== undefined) this.#wanted = { ...this.#wanted, paused: paused ? "1" : "", lost: "" };
    if (heldUntil !== undefined)
      this.#wanted = { ...this.#wanted, heldUntil: heldUntil === null ? "" : String(heldUntil) };
    if (this.#group.hasJoined) this.#tellWanted().catch((error: Error) => this.#failed(error));
  }

  holdBack(ids: readonly string[], records: readonly string[]): void {
    for (const id of ids) this.#settling.push([id, "heldBack"]);
    for (const name of records) this.#settling.push([JSON.stringify(name), "late"]);
    void this.#flush();
  }

  release(): void {
    this.#released = randomUUID();
    this.#wanted = { ...this.#wanted, released: this.#released };
    if (this.#group.hasJoined) this.#tellWanted().catch((error: Error) => this.#failed(error));
  }

  async settleOthers({ nodeId = "", only }: { readonly nodeId?: string; readonly only?: "held-back" }, cut: Cut) {
    await this.#group.renew();
    let ended = 0;
    for (const other of this.#group.lease.others)
      for (let from = "-inf"; from !== ""; ) {
        const [next = "", ...ids] = await this.#cut(cut, "", other, nodeId, only ? 1 : "", from, AT_ONCE);
        ended += ids.length;
        from = next;
      }
    return ended;
  }

  async cancelOthers(name: string): Promise<Cancelled> {
    const [tooLate, ...ids] = await this.#cut("cancelled", name, "", "", "", "", "");
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
    clearTimeout(this.#forgetting);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    const end = async () => {
      await this.#askingToBegin;
      await this.#restoring;
      void this.#flush();
      while (this.#settled) await this.#settled;
      await this.#group.leave();
    };
    if (this.#group.connection.isReady) await Promise.race([end().catch(() => {}), limit]);
    clearTimeout(timer);
    this.#group.close();
  }

  /** How much Redis can be relied on, if it shows that. */
  durability(): Promise<Durability> {
    return durabilityOf(this.#group.connection);
  }

  /** The policy by which a full Redis would delete entries, if it would and shows that. */
  eviction(): Promise<string | undefined> {
    return evictionOf(this.#group.connection);
  }

  #askToBegin(): void {
    this.#askingToBegin ??= Promise.resolve()
      .then(() => this.#begin())
      .finally(() => {
        this.#askingToBegin = undefined;
        if (this.#beginning.length > 0) this.#askToBegin();
      });
  }

  async #begin(): Promise<void> {
    if (this.#areLimitsNew) {
      await this.#joined();
      // What waited to be accepted goes first.
      await new Promise(setImmediate);
    }
    const asked = this.#beginning.splice(0);
    const ids = asked.map(({ entry }) => entry.id);
    const answers = (await this.#ask("begin", this.leadMs, ...ids).catch(() => [])) as string[];
    let refusal: Leave | undefined;
    for (const [n, { resolve }] of asked.entries()) {
      refusal ??= this.#refusal(answers[n]);
      resolve(refusal ?? leaveOf(answers[n] ?? ""));
    }
    // Those that came meanwhile are behind the one that was refused.
    if (refusal) for (const { resolve } of this.#beginning.splice(0)) resolve(refusal);
  }

  /** Resolves when Redis knows this instance and its limits, or does not answer. */
  async #joined(): Promise<void> {
    for (let n = 0; n < 2 && this.#areLimitsNew && this.#group.connection.isReady; n += 1) await this.#group.renew();
  }

  /** Why an entry and those after it may not begin, if so. */
  #refusal(answer: string | undefined): Leave | undefined {
    const [, wait] = /^wait (.*)$/.exec(answer ?? "") ?? [];
    if (wait !== undefined && Number(wait) >= 0) return { retryInMs: Number(wait) };
    // Without a lease, another instance may have restored it, and have begun it.
    const isGranted = wait === undefined && answer !== undefined && !UNSURE.has(answer) && this.holdsLease();
    if (isGranted) return undefined;
    this.#group.renewIn(wait === undefined ? COUNTS_MS : 0);
    return { retryInMs: Number.POSITIVE_INFINITY };
  }

  #write(id: string, what: string): Promise<unknown> {
    this.#settling.push([id, what]);
    return this.#flush();
  }

  /** Writes down what became of entries, those of one moment together. */
  #flush(): Promise<unknown> {
    const written = (this.#settled ?? Promise.resolve()).then(async () => {
      while (this.#settling.length > 0) await this.#group.insist("settle", ...this.#settling.splice(0, AT_ONCE).flat());
    });
    const settled = written.finally(() => {
      if (this.#settled === settled) this.#settled = undefined;
    });
    this.#settled = settled;
    return settled;
  }

  /** Asks, and reports what keeps Redis from answering. */
  async #ask(...call: Parameters<Group["ask"]>): Promise<unknown> {
    try {
      return await this.#group.ask(...call);
    } catch (error) {
      this.#failed(error as Error);
      throw new Error(this.#failures.reason ?? (error as Error).message);
    }
  }

  /** What is not known yet is no answer: an owner that took it for one would give up its record. */
  async #askRecord(...args: readonly string[]): Promise<boolean> {
    const answer = await this.#ask("record", ...args);
    if (answer !== 0 && answer !== 1) throw new Error(RECOVERING);
    return answer === 1;
  }

  /** Ends entries of others. Returns what Redis says of them, and their ids. */
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
      return answer ?? [this.#failures.reason ?? (error as Error).message];
    }
  }

  async #onNews(news: News): Promise<void> {
    this.#recent.forgetOld();
    // The answer may be older than what was restored meanwhile.
    this.#news = this.#restoring && this.#news ? { ...news, others: this.#news.others } : news;
    await this.#tellLimits(news);
    await this.#tellWanted();
    for (const cut of new Set(news.cuts.map(([, why]) => why)))
      this.#events?.onSettledElsewhere(
        news.cuts.flatMap(([id, why]) => (why === cut ? [id] : [])),
        cut as Cut,
      );
    for (const [, name, note] of news.notes) this.#events?.onRecordNote(JSON.parse(name), JSON.parse(note));
    this.#group.lease.hasHeard(news.notes);
    if (news.notes.length > 0 || news.cuts.length > 0) this.#group.renewIn(news.cuts.length > 0 ? FORGET_MS * 2 : 0);
    this.#reportGroup();
    const { released = news.released } = this.#unknownTo(news);
    if (this.#released !== released) this.#events?.onReleased();
    this.#released = released;
    if (this.#isFull) await this.#group.lease.call("accept", "");
    this.#isFull = false;
    if (news.isRecovering) this.#failures.fails(RECOVERING);
    else this.#works();
    if (news.expired !== undefined && this.#limits) this.#restore(news.expired);
    this.#events?.retry();
  }

  #reportGroup(): void {
    if (!this.#news) return;
    const { paused = this.#news.paused ? "1" : "", heldUntil = this.#news.heldUntil } = this.#unknownTo(this.#news);
    const state: GroupState = {
      paused: paused === "1",
      heldUntil: heldUntil === undefined || heldUntil === "" ? undefined : Number(heldUntil),
      rate: Number(this.#news.limits[0] || (this.#limits?.rate ?? 0)),
      others: this.#news.others,
    };
    this.#events?.onGroup(state);
  }

  async #tellLimits({ limits }: News): Promise<void> {
    const mine = this.#limits;
    if (!mine) return;
    const names = ["rate", "entries", "bytes", "places"] as const;
    if (this.#areLimitsNew || !limits[0]) {
      await this.#group.lease.call("set", ...names.flatMap((name) => [name, mine[name]]));
      if (mine === this.#limits) this.#areLimitsNew = false;
      this.#group.renewIn(0);
      return;
    }
    for (const [n, name] of names.entries()) {
      if (Number(limits[n]) === mine[name] || this.#differences.has(name)) continue;
      this.#differences.add(name);
      this.#options.onDifference?.(name);
    }
  }

  /** Changes of this instance that news of the group do not have yet. */
  #unknownTo({ askedAt }: News): Record<string, string> {
    return askedAt <= this.#told.at ? { ...this.#told.changes, ...this.#wanted } : this.#wanted;
  }

  async #tellWanted(): Promise<void> {
    const wanted = this.#wanted;
    if (Object.keys(wanted).length === 0) return;
    const at = performance.now();
    await this.#group.lease.call("set", ...Object.entries(wanted).flat());
    this.#told = { changes: wanted, at };
    if (this.#wanted === wanted) this.#wanted = {};
    this.#group.renewIn(0);
  }

  #restore(gone: string): void {
    this.#restoring ??= restore(gone, {
      ask: (...args) => this.#group.ask("restore", ...args) as Promise<string[]>,
      restored: this.#restored,
      records: this.#records,
      removing: this.#removing,
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

  /** What another instance had waiting does not wait there any more. */
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
      taken: this.#taken,
      restored: this.#restored,
      keys: this.#held.values(),
      records: this.#records,
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
    this.#records.clear();
    this.#events?.onInherited();
  }

  #failed(error: Error): void {
    if (error instanceof NotSent) return;
    if (error.message.startsWith("OOM ")) this.#isFull = true;
    // What was the primary is a replica now.
    if (error.message.startsWith("READONLY ")) this.#group.connection.reconnect();
    this.#failures.fails(error.message);
    this.#options.onFailure?.(error);
  }

  #works(): void {
    const { isReady, hears } = this.#group.connection;
    if (!this.#group.hasJoined || this.#isFull || !isReady || !hears || this.#news?.isRecovering) return;
    if (this.#hasWorked && this.#failures.reason === undefined) return;
    this.#hasWorked = true;
    this.#failures.works();
    this.#options.onWorks?.();
  }
}

/** Answers to `begin` after which the lease has to be renewed. */
const UNSURE: ReadonlySet<string> = new Set(["forgotten", "absent", "recovering", "unknown"]);

/** @param answer milliseconds until the start, or why it ended elsewhere */
function leaveOf(answer: string): Leave {
  const ms = Number(answer);
  if (Number.isNaN(ms)) return { gone: answer as Cut };
  return ms > 0 ? { startInMs: ms } : "begun";
}
