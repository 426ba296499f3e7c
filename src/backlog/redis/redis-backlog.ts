import { randomUUID } from "node:crypto";
import type { Backlog } from "../backlog";
import type { Acceptance, Cut, Entry, Key, Outcome } from "../entry";
import type { Counts, Handlers } from "../handlers";
import type { Limits } from "../store";
import { acceptanceOf } from "./acceptance";
import { type Connection, mayHaveArrived, NotSent } from "./connection";
import { Group } from "./group";
import { Mailbox } from "./mailbox";
import type { GroupLimits } from "./membership";
import { evictionOf, type Promised, promiseOf } from "./promised";
import { RedisRecords } from "./redis-records";
import { storedEntry } from "./stored-entry";
import { Taker } from "./taker";
import { Trouble } from "./trouble";

/** What an instance holds goes to another one when it has not reported for this long. Milliseconds. */
const LEASE_MS = 15_000;
/** Entries that one function looks at. */
const AT_ONCE = 500;
/** How long a close waits for Redis to know what was settled. Milliseconds. */
const CLOSE_MS = 2000;

export interface RedisBacklogOptions {
  readonly leaseMs?: number;
  /** The group uses another value for one of the limits than this instance. Called once for each of its deploys. */
  readonly onDifference?: (limit: keyof GroupLimits) => void;
  /** Redis has refused something, or could not be reached; as often as that happens. */
  readonly onFailure?: (error: Error) => void;
  /** Redis works, for the first time or again. */
  readonly onWorks?: () => void;
}

/** What this process has accepted, or is about to. */
interface Own {
  readonly entry: Entry;
  readonly sender: unknown;
  readonly accepting: Promise<Acceptance>;
  isAccepted: boolean;
}

/** A backlog that all instances with the same Redis and group share. */
export class RedisBacklog
  implements
    Omit<
      Backlog,
      `on${string}` | "records" | "pacer" | "held" | "retry" | "mayLeave" | "countStart" | "requeue" | "settle"
    >
{
  readonly isDurable = true;
  readonly engine = "redis";
  readonly records: RedisRecords;
  readonly #group: Group;
  readonly #taker: Taker;
  readonly #mailbox = new Mailbox();
  readonly #trouble: Trouble;
  readonly #options: RedisBacklogOptions;
  readonly #beats: NodeJS.Timeout;
  #handlers: Handlers | undefined;
  #limits: GroupLimits | undefined;
  /** Redis does not know these limits yet. */
  #areLimitsNew = false;
  readonly #differences = new Set<string>();
  /** Changes of the group's state that Redis does not know yet. */
  #wanted: Record<string, string> = {};
  #counts: Counts = { waiting: 0, bytes: 0, restored: 0, paused: false, heldUntil: undefined };
  /** What this process has accepted, until it is told how it ended. */
  readonly #own = new Map<string, Own>();
  #isFull = false;
  #joining: Promise<void> | undefined;
  #hasJoined = false;
  #hasWorked = false;
  #telling: Promise<void> | undefined;
  #tellAgain = false;
  #closed = false;

  /** @param prefix names the group; instances that differ in mode, address or format have different ones */
  constructor(connection: Connection, prefix: string, options: RedisBacklogOptions = {}) {
    this.#options = options;
    this.#group = new Group(connection, `{${prefix}}`, options.leaseMs ?? LEASE_MS);
    this.#trouble = new Trouble((reason) => this.#handlers?.onFailure(reason));
    this.records = new RedisRecords(this.#group, {
      join: () => this.#join(),
      hasJoined: () => this.#hasJoined,
      failed: (error) => this.#failed(error),
      reason: () => this.trouble,
    });
    this.#taker = new Taker(this.#group, {
      counted: (counts) => this.#counted(counts),
      absent: () => void this.#join().then(() => this.dispatch()),
      failed: (error) => this.#failed(error as Error),
    });
    connection.tell({
      ready: () => void this.#reconnected(),
      hears: () => {
        this.#works();
        this.#catchUp();
      },
      published: (channel) => {
        if (channel.endsWith(":wake")) this.dispatch();
        else if (channel === this.#notes) this.records.look();
        else this.#tellLater();
      },
      failed: (error) => {
        if (!connection.isReady) this.#hasJoined = false;
        this.#failed(error);
      },
    });
    this.#listen();
    this.#beats = setInterval(() => this.#tick(), this.#group.member.leaseMs / 5);
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** Why Redis fails, while it does. */
  get trouble(): string | undefined {
    return this.#trouble.reason;
  }

  serve(handlers: Handlers, { rate, entries, bytes, places }: Limits): void {
    this.#handlers = handlers;
    this.#limits = { rate, entries, bytes, places };
    this.#areLimitsNew = true;
    this.#differences.clear();
    this.#taker.serve({
      places: () => handlers.places(),
      others: () => handlers.others(),
      isOpen: () => handlers.isOpen(),
      begin: (run) => handlers.begin(Object.assign(run, { sender: this.#own.get(run.entry.id)?.sender })),
      onSettled: () => {},
      onInherited: () => {},
      onChange: () => {},
      onFailure: () => {},
    });
    this.records.handlers = handlers.restored;
    if (this.#trouble.reason !== undefined) handlers.onFailure(this.#trouble.reason);
    void this.#join();
  }

  async accept(entry: Entry, sender?: unknown): Promise<Acceptance> {
    const { id } = entry;
    const others = this.#handlers?.others() ?? { waiting: 0, bytes: 0 };
    const at = Date.now();
    const isOpen = this.#taker.isOpen ? 1 : 0;
    const accepting = this.#ask(
      (instance) => [instance, id, storedEntry(entry, instance), at, others.waiting, others.bytes, isOpen],
      "backlogAccept",
      // If it was not accepted, it never will be.
      async () => [await this.#group.insist("backlogRefuse", id)],
    );
    const own: Own = { entry, sender, accepting, isAccepted: false };
    this.#own.set(id, own);
    const acceptance = await accepting;
    own.isAccepted = acceptance.kind === "accepted";
    if (!own.isAccepted) this.#own.delete(id);
    return acceptance;
  }

  takeKey({ hash, forMs }: Key): Promise<Acceptance> {
    const [at, by] = [Date.now(), randomUUID()];
    const args = (instance: string) => [instance, hash, at, by, forMs];
    // The same request again is no second use.
    const again = () => this.#group.insist("backlogTakeKey", ...args(this.#group.member.instance));
    return this.#ask(args, "backlogTakeKey", again);
  }

  async tryKey({ hash, forMs, uses }: Key): Promise<Acceptance> {
    try {
      return acceptanceOf((await this.#group.call("backlogTryKey", hash, forMs, uses ?? "")) as string[]);
    } catch (error) {
      this.#failed(error as Error);
      return { kind: "failed", reason: this.trouble ?? (error as Error).message };
    }
  }

  /** While Redis is away, it is told again. */
  async cancel(id: string): Promise<boolean> {
    await this.#own.get(id)?.accepting;
    return (await this.#group.insist("backlogWithdraw", id)) === 1;
  }

  settleKey({ hash, forMs }: Key, outcome: Outcome): void {
    void this.#group.insist("backlogSettleKey", hash, forMs, outcome);
  }

  now(): number {
    return Date.now();
  }

  pause(): void {
    this.#set({ paused: "1" });
  }

  resume(): void {
    this.#set({ paused: "", heldUntil: "" });
  }

  hold(until: number | undefined): void {
    this.#set({ heldUntil: until === undefined ? "" : String(until) });
  }

  /** Rejects if Redis is away. */
  drop(nodeId = ""): Promise<number> {
    return this.#cut("dropped", nodeId, "");
  }

  failAll(): Promise<number> {
    return this.#cut("givenUp", "", this.#group.member.instance);
  }

  dispatch(): void {
    if (this.#hasJoined) this.#taker.look();
  }

  stopDispatching(): unknown[] {
    void this.#taker.rest();
    return [...this.#own.values()].flatMap(({ entry, sender }) => (this.#taker.has(entry.id) ? [] : (sender ?? [])));
  }

  senderOf(id: string): unknown {
    return this.#own.get(id)?.sender;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#beats);
    const end = async () => {
      await this.#taker.rest();
      await this.#taker.settled();
      await this.#telling;
      await this.records.settled();
      await this.#group.call("backlogLeave", this.#group.member.instance);
    };
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    if (this.#group.connection.isReady) await Promise.race([end().catch(() => {}), limit]);
    clearTimeout(timer);
    void this.#taker.rest();
    this.#group.close();
  }

  /** What Redis promises of what it has answered, if it shows that. */
  promise(): Promise<Promised> {
    return promiseOf(this.#group.connection);
  }

  /** The policy by which a full Redis would delete what waits, if it would and shows that. */
  eviction(): Promise<string | undefined> {
    return evictionOf(this.#group.connection);
  }

  /**
   * Asks for an acceptance.
   * @param uncertain asks again when the reply was lost
   */
  async #ask(
    args: (instance: string) => (string | number)[],
    name: string,
    uncertain: () => Promise<unknown>,
  ): Promise<Acceptance> {
    try {
      if (!this.#hasJoined && this.#group.connection.isReady) await this.#join();
      // What answers may be no Redis: nothing is sent that would have to be asked for.
      if (!this.#hasJoined) throw new NotSent();
      let answer = (await this.#group.call(name, ...args(this.#group.member.instance))) as string[];
      if (answer[0] === "absent") {
        await this.#join();
        answer = (await this.#group.call(name, ...args(this.#group.member.instance))) as string[];
      }
      if (this.#isFull) {
        this.#isFull = false;
        this.#works();
      }
      return acceptanceOf(answer);
    } catch (error) {
      const reason = (error as Error).message;
      if (!mayHaveArrived(error)) {
        this.#failed(error as Error);
        return { kind: "failed", reason: this.#trouble.reason ?? reason };
      }
      const answer = (await uncertain().catch(() => undefined)) as string[] | undefined;
      const acceptance = acceptanceOf(answer ?? []);
      return acceptance.kind === "failed" ? { kind: "failed", reason } : acceptance;
    }
  }

  async #cut(cut: Cut, nodeId: string, owner: string): Promise<number> {
    let dropped = 0;
    for (let from = "-inf"; from !== "-1"; ) {
      const answer = await this.#group.call("backlogDrop", nodeId, owner, cut, from, AT_ONCE);
      const [next, count] = answer as [string, number];
      dropped += count;
      from = next;
    }
    return dropped;
  }

  #tick(): void {
    this.#group.connection.check();
    if (!this.#group.connection.isReady) return;
    void this.#join().then(() => this.#catchUp());
  }

  async #reconnected(): Promise<void> {
    this.#hasJoined = false;
    this.#group.ready();
    await this.#join();
    if (this.#hasJoined) await this.#findForgotten().catch(() => {});
  }

  /** Renews the lease, and brings Redis up to date. */
  #join(): Promise<void> {
    this.#joining ??= this.#beat().then(
      () => {
        this.#joining = undefined;
        return this.#isBehind ? this.#join() : undefined;
      },
      (error: Error) => {
        this.#joining = undefined;
        this.#failed(error);
      },
    );
    return this.#joining;
  }

  /** Whether Redis does not know something yet. */
  get #isBehind(): boolean {
    return this.#areLimitsNew || Object.keys(this.#wanted).length > 0;
  }

  async #beat(): Promise<void> {
    const { member, call } = this.#group;
    let limits = await member.beat(call);
    if (limits === "gone") {
      this.#inherited();
      limits = await member.beat(call);
    }
    if (limits === "gone") return;
    const mine = this.#limits;
    if (mine && (this.#areLimitsNew || !limits)) {
      await call("backlogSet", ...Object.entries(mine).flat());
      if (mine === this.#limits) this.#areLimitsNew = false;
      limits = mine;
    }
    if (limits) this.#compare(limits);
    await this.#tellWanted();
    const hadJoined = this.#hasJoined;
    this.#hasJoined = true;
    if (!hadJoined) this.#catchUp();
    if (this.#isFull) await call("backlogProbe");
    this.#isFull = false;
    this.#works();
  }

  /** Another instance tells how it ends what this one had accepted, and was told that its runs are lost. */
  #inherited(): void {
    this.#taker.forget();
    this.records.forget();
    this.#listen();
    for (const [id, { entry, sender, isAccepted }] of this.#own) {
      if (!isAccepted) continue;
      this.#own.delete(id);
      this.#handlers?.onInherited(entry, sender);
    }
  }

  #listen(): void {
    const { prefix, member, connection } = this.#group;
    connection.listen([`${prefix}:wake`, `${prefix}:mail:${member.instance}`, this.#notes]);
  }

  /** Tells that there is something about the records of this instance. */
  get #notes(): string {
    return `${this.#group.prefix}:notes:${this.#group.member.instance}`;
  }

  #compare(limits: GroupLimits): void {
    this.#taker.rate = limits.rate;
    for (const name of Object.keys(limits) as (keyof GroupLimits)[]) {
      if (limits[name] === this.#limits?.[name] || !this.#limits || this.#differences.has(name)) continue;
      this.#differences.add(name);
      this.#options.onDifference?.(name);
    }
  }

  #catchUp(): void {
    this.dispatch();
    this.#tellLater();
    this.records.look();
  }

  #tellLater(): void {
    if (!this.#hasJoined || !this.#handlers) return;
    this.#tellAgain = true;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
      if (this.#tellAgain) this.#tellLater();
    });
  }

  async #tell(): Promise<void> {
    this.#tellAgain = false;
    const { member, call } = this.#group;
    try {
      for await (const { entry, end } of this.#mailbox.fetch(member.instance, call, () => member.isSafe)) {
        const own = this.#own.get(entry.id);
        this.#own.delete(entry.id);
        this.#handlers?.onSettled(own?.entry ?? entry, end, own?.sender);
      }
    } catch (error) {
      this.#failed(error as Error);
    }
  }

  /** A Redis that was away may have forgotten what it had accepted: whether it was performed, nobody knows. */
  async #findForgotten(): Promise<void> {
    this.#tellLater();
    await this.#telling;
    const ids = [...this.#own].filter(([, { isAccepted }]) => isAccepted).map(([id]) => id);
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const unknown = await this.#group.call("backlogUnknown", ...ids.slice(from, from + AT_ONCE));
      for (const id of unknown as string[]) {
        const own = this.#own.get(id);
        // This process is performing it, and will tell Redis.
        if (!own || this.#taker.has(id)) continue;
        this.#own.delete(id);
        this.#handlers?.onSettled(own.entry, { cut: "lost" }, own.sender);
      }
    }
  }

  #counted(counts: Counts): void {
    const before = this.#counts;
    this.#counts = counts;
    const names = ["waiting", "bytes", "restored", "paused", "heldUntil"] as const;
    if (names.some((name) => before[name] !== counts[name])) this.#handlers?.onChange();
  }

  /** Redis learns of it now, before what is sent later, or when it is there again. */
  #set(values: Readonly<Record<string, string>>): void {
    this.#wanted = { ...this.#wanted, ...values };
    if (this.#hasJoined) this.#tellWanted().catch((error: Error) => this.#failed(error));
    else if (this.#group.connection.isReady) void this.#join();
  }

  async #tellWanted(): Promise<void> {
    const wanted = this.#wanted;
    if (Object.keys(wanted).length === 0) return;
    this.#wanted = {};
    try {
      await this.#group.call("backlogSet", ...Object.entries(wanted).flat());
    } catch (error) {
      this.#wanted = { ...wanted, ...this.#wanted };
      throw error;
    }
  }

  #failed(error: Error): void {
    if (error instanceof NotSent || this.#closed) return;
    if (error.message.startsWith("OOM ")) this.#isFull = true;
    // What was the primary is a replica now.
    if (error.message.startsWith("READONLY ")) this.#group.connection.reconnect();
    this.#trouble.fails(error.message);
    this.#options.onFailure?.(error);
  }

  #works(): void {
    const { isReady, hears } = this.#group.connection;
    if (!this.#hasJoined || this.#isFull || !isReady || !hears) return;
    if (this.#hasWorked && this.#trouble.reason === undefined) return;
    this.#hasWorked = true;
    this.#trouble.works();
    this.#options.onWorks?.();
  }
}
