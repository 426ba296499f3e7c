import { randomBytes, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { AGAIN_MS, type GroupState } from "../store";
import { type Connection, type FunctionName, NotSent } from "./connection";

/** The limits, by their names in Redis. */
export const LIMITS = { rate: "rate", entries: "entries", bytes: "bytes", places: "slots" } as const;

/** The state that a group shares, as the fields of `<prefix>:state`; empty where nothing is set. */
export type Shared = Readonly<
  Record<"version" | "paused" | "proven" | "trouble" | "released" | keyof typeof LIMITS, string>
>;

/** The entries that other instances have ended or noted for this one, and the state of the group. */
export interface News {
  /** The time at which it was asked for, monotonic milliseconds. */
  readonly askedAt: number;
  readonly marker: string;
  /** Whether Redis has lost everything. */
  readonly lost: boolean;
  /** Epoch milliseconds of Redis. */
  readonly now: number;
  /** The group's own clock, which never jumps, milliseconds. */
  readonly clock: number;
  readonly shared: Shared;
  readonly progress: number;
  /** The number of changes to the entries whose outcome is unknown. */
  readonly unknown: number;
  readonly members: readonly string[];
  readonly others: GroupState["others"];
  readonly cuts: readonly (readonly [id: string, cut: string])[];
  readonly notes: readonly (readonly [id: string, name: string, note: string])[];
  readonly isRecovering: boolean;
  /** An instance whose lease has run out. */
  readonly expired?: string;
}

/** The number of beginnings, ends and changed records in the group: a Redis that shows less has an older state. */
export interface Progress {
  /** As far as earlier processes have seen it. */
  readonly known: number;
  /** @param isLast this process ends */
  seen(progress: number, isLast: boolean): void;
}

type Renewal = { readonly kind: "gone" } | { readonly kind: "alive" | "forgotten"; readonly news: News };

/** Fields that are read with one command. */
const READ_AT_ONCE = 500;

/** The membership of this process in a group: an instance, with a lease that it renews. */
export class Lease {
  instance: string = randomUUID();
  /** The marker of the group that this instance knows; empty before it has joined. */
  #marker = "";
  #members: readonly string[] = [];
  #lastNote = "";
  #known: number;
  /** The earliest end of the lease, milliseconds of `performance.now()`. */
  #until = -Infinity;
  /** The difference to add to `performance.now()` for the clock of Redis. */
  #offset = Date.now() - performance.now();
  /** The same for the group's own clock. */
  #steadyOffset = this.#offset;

  constructor(
    private readonly connection: Connection,
    private readonly prefix: string,
    readonly ms: number,
    private readonly progress: Progress | undefined,
  ) {
    this.#known = progress?.known ?? 0;
  }

  get others(): readonly string[] {
    return this.#members.filter((member) => member !== this.instance);
  }

  /** Whether no other instance can have restored what this one holds. */
  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** The time on the clock of Redis, epoch milliseconds. */
  now(): number {
    return performance.now() + this.#offset;
  }

  /** The milliseconds on the group's own clock, which does not jump with that of Redis. */
  steady(): number {
    return performance.now() + this.#steadyOffset;
  }

  call(name: FunctionName, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.connection.run(name, this.prefix, [this.instance, this.#marker, ...args]);
  }

  read(command: string, name: string, ...args: string[]): Promise<unknown> {
    return this.connection.command(command, `${this.prefix}:${name}`, ...args);
  }

  /** Reads fields of a hash of the group, each its value or `null`. */
  async readEach(name: string, fields: readonly string[]): Promise<Map<string, string | null>> {
    const values = new Map<string, string | null>();
    for (let from = 0; from < fields.length; from += READ_AT_ONCE) {
      const some = fields.slice(from, from + READ_AT_ONCE);
      const found = (await this.read("HMGET", name, ...some)) as (string | null)[];
      for (const [n, field] of some.entries()) values.set(field, found[n] ?? null);
    }
    return values;
  }

  /** @param hasReconnected Redis may be another one, or have been restarted */
  async renew(hasReconnected: boolean): Promise<Renewal> {
    const sent = performance.now();
    const base = randomBytes(8).toString("hex");
    const args = [this.ms, base, hasReconnected ? "1" : "", this.#lastNote, this.#known, ...this.others];
    const [kind, json = "{}"] = (await this.call("renew", ...args)) as ["alive" | "gone" | "forgotten", string?];
    if (kind === "gone") {
      this.instance = randomUUID();
      this.#marker = "";
      this.#lastNote = "";
      this.#until = -Infinity;
      return { kind };
    }
    const read = JSON.parse(json) as Omit<News, "askedAt">;
    // An empty list comes back from Redis as an object.
    const news = { ...read, askedAt: sent, cuts: Object.values(read.cuts), notes: Object.values(read.notes) };
    this.#marker = news.marker;
    this.#members = news.members;
    this.#known = news.progress;
    this.progress?.seen(news.progress, false);
    this.#until = sent + this.ms;
    const answeredAt = (sent + performance.now()) / 2;
    this.#offset = news.now - answeredAt;
    this.#steadyOffset = news.clock - answeredAt;
    return { kind, news };
  }

  /** The next renewal confirms that these were read. */
  hasHeard(notes: News["notes"]): void {
    this.#lastNote = notes.at(-1)?.[0] ?? this.#lastNote;
  }

  async leave(): Promise<void> {
    this.#until = -Infinity;
    const [, json] = (await this.call("renew", 0, "0", "", "", this.#known)) as [string, string?];
    if (json !== undefined) this.progress?.seen((JSON.parse(json) as News).progress, true);
  }
}

const MOST_TRIES = 3;

/** Callbacks of a group to its store. */
interface Member {
  /** Reports that another instance has restored the entries of this one. */
  onInherited(): void;
  onLost(): void;
  /** The parts of the state that a Redis has to be given again after it has forgotten. */
  parts(): Iterable<string>;
  /** The lease was renewed. */
  onNews(news: News): Promise<void>;
  onFailure(error: Error): void;
}

/** A group in Redis, as this process takes part in it. */
export class Group {
  #pausing = new AbortController();
  #phase: "away" | "joined" | "closed" = "away";
  #hasReconnected = false;
  /** Whether the entries of this instance have to be written again, perhaps because that failed before. */
  #mustRewrite = false;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly connection: Connection,
    readonly lease: Lease,
    private readonly member: Member,
  ) {}

  /** Whether Redis knows this instance and its entries. */
  get hasJoined(): boolean {
    return this.#phase === "joined";
  }

  /** Renews the lease, now or with the renewal that is under way. Never rejects. */
  renew(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#phase === "closed") return Promise.resolve();
    this.#renewing ??= this.#renew()
      .catch((error: Error) => this.member.onFailure(error))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  renewIn(ms: number): void {
    if (this.#phase !== "closed") this.#timer ??= setTimeout(() => void this.renew(), ms);
  }

  /** Notes that the connection is lost: nothing is sent before the lease was renewed. */
  disconnected(): void {
    if (this.#phase === "joined") this.#phase = "away";
    this.#hasReconnected = true;
  }

  /** Renews the lease when there is a connection again. */
  async connected(): Promise<void> {
    this.disconnected();
    this.#pausing.abort();
    this.#pausing = new AbortController();
    await this.renew();
  }

  /** Writes all again: Redis does not know an entry, although it does not seem to have forgotten, so a key was deleted. */
  writeAgain(): void {
    this.#mustRewrite = true;
    this.renewIn(0);
  }

  /** Runs a function. Rejects when there is no connection, or the reply was lost. */
  async ask(name: FunctionName, ...args: readonly (string | number)[]): Promise<unknown> {
    if (!this.hasJoined && this.connection.isReady) await this.renew();
    if (!this.hasJoined) throw new NotSent();
    // The renewal that is waited for may have been under way before Redis has forgotten.
    for (let tries = 1; ; tries += 1) {
      const answer = await this.lease.call(name, ...args);
      if (!hasForgotten(answer) || tries === MOST_TRIES) return answer;
      await this.renew();
      if (!this.hasJoined) throw new NotSent();
    }
  }

  /** Repeats a function whose repetition changes nothing. Resolves to `undefined` if the group is closed before Redis has answered. */
  async insist(name: FunctionName, ...args: readonly (string | number)[]): Promise<unknown> {
    while (this.#phase !== "closed") {
      const answer = await this.ask(name, ...args).catch(() => "absent");
      if (!hasForgotten(answer)) return answer;
      // Rejects when it is ended, because there is a connection.
      await sleep(AGAIN_MS, undefined, { signal: this.#pausing.signal }).catch(() => {});
    }
    return undefined;
  }

  /** Leaves the group: others may restore at once what is left. */
  async leave(): Promise<void> {
    const mayLeave = this.hasJoined;
    this.#phase = "closed";
    clearTimeout(this.#timer);
    await this.#renewing;
    if (mayLeave) await this.lease.leave();
  }

  close(): void {
    this.#phase = "closed";
    clearTimeout(this.#timer);
    this.#pausing.abort();
    this.connection.close();
  }

  async #renew(): Promise<void> {
    for (;;) {
      const hasReconnected = this.#hasReconnected;
      const renewal = await this.lease.renew(hasReconnected);
      if (renewal.kind === "gone") {
        this.#mustRewrite = false;
        this.member.onInherited();
      } else if (renewal.kind === "forgotten" || this.#mustRewrite) {
        if (renewal.news.lost) this.member.onLost();
        await this.#rewrite();
      } else {
        if (this.#phase === "away") this.#phase = "joined";
        await this.member.onNews(renewal.news);
        return;
      }
      if (hasReconnected) this.#hasReconnected = false;
    }
  }

  async #rewrite(): Promise<void> {
    if (this.#phase === "joined") this.#phase = "away";
    this.#mustRewrite = true;
    const [...parts] = this.member.parts();
    for (const [n, part] of parts.entries())
      if (hasForgotten(await this.lease.call("rewrite", n === parts.length - 1 ? "1" : "", part))) return;
    this.#mustRewrite = false;
  }
}

/** Whether Redis has not done it, because it has forgotten something or does not know the instance. */
export function hasForgotten(answer: unknown): boolean {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  return first === "forgotten" || first === "absent";
}
