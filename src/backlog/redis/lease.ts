import { randomBytes, randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { GroupState } from "../store";
import type { Connection } from "./connection";
import type { FunctionName } from "./functions";

/** What other instances have ended or noted for this one, and the state of the group. */
export interface News {
  /** When it was asked for, monotonic milliseconds. */
  readonly askedAt: number;
  readonly marker: string;
  /** Redis has lost everything. */
  readonly lost: boolean;
  /** Epoch milliseconds of Redis. */
  readonly now: number;
  readonly paused: boolean;
  readonly heldUntil?: number | undefined;
  /** Changes whenever held-back entries are released. */
  readonly released: string;
  readonly version: number;
  readonly progress: number;
  /** Rate, entries, bytes and places, or empty. */
  readonly limits: readonly (string | false)[];
  readonly members: readonly string[];
  readonly others: GroupState["others"];
  readonly cuts: readonly (readonly [id: string, cut: string])[];
  readonly notes: readonly (readonly [id: string, name: string, note: string])[];
  readonly isRecovering: boolean;
  /** An instance whose lease has run out. */
  readonly expired?: string;
}

/** How often an entry has begun or ended in the group, or a record has changed: a Redis that shows less has an older state. */
export interface Progress {
  /** As far as earlier processes have seen it. */
  readonly known: number;
  /** @param isLast this process ends */
  seen(progress: number, isLast: boolean): void;
}

type Renewal = { readonly kind: "gone" } | { readonly kind: "alive" | "forgotten"; readonly news: News };

/** The membership of this process in a group: an instance, with a lease that it renews. */
export class Lease {
  readonly ms: number;
  readonly #connection: Connection;
  readonly #prefix: string;
  #instance: string = randomUUID();
  /** The marker of the group that this instance knows; empty before it has joined. */
  #marker = "";
  #members: readonly string[] = [];
  #lastNote = "";
  readonly #progress: Progress | undefined;
  #known: number;
  /** When the lease ends at the earliest, milliseconds of `performance.now()`. */
  #until = -Infinity;
  /** What to add to `performance.now()` for the clock of Redis. */
  #offset = Date.now() - performance.now();

  constructor(connection: Connection, prefix: string, ms: number, progress: Progress | undefined) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.ms = ms;
    this.#progress = progress;
    this.#known = progress?.known ?? 0;
  }

  get instance(): string {
    return this.#instance;
  }

  get others(): readonly string[] {
    return this.#members.filter((member) => member !== this.#instance);
  }

  /** Whether no other instance can have restored what this one holds. */
  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  /** Epoch milliseconds of Redis. */
  now(): number {
    return performance.now() + this.#offset;
  }

  call(name: FunctionName, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#connection.run(name, this.#prefix, [this.#instance, this.#marker, ...args]);
  }

  /** Reads something of the group. */
  read(command: string, name: string, ...args: string[]): Promise<unknown> {
    return this.#connection.command(command, `${this.#prefix}:${name}`, ...args);
  }

  /** @param hasReconnected Redis may be another one, or have been restarted */
  async renew(hasReconnected: boolean): Promise<Renewal> {
    const sent = performance.now();
    const base = randomBytes(8).toString("hex");
    const args = [this.ms, base, hasReconnected ? "1" : "", this.#lastNote, this.#known, ...this.others];
    const [kind, json = "{}"] = (await this.call("renew", ...args)) as ["alive" | "gone" | "forgotten", string?];
    if (kind === "gone") {
      this.#instance = randomUUID();
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
    this.#progress?.seen(news.progress, false);
    this.#until = sent + this.ms;
    this.#offset = news.now - (sent + performance.now()) / 2;
    return { kind, news };
  }

  /** The next renewal confirms that these were read. */
  hasHeard(notes: News["notes"]): void {
    this.#lastNote = notes.at(-1)?.[0] ?? this.#lastNote;
  }

  async leave(): Promise<void> {
    this.#until = -Infinity;
    const [, json] = (await this.call("renew", 0, "0", "", "", this.#known)) as [string, string?];
    if (json !== undefined) this.#progress?.seen((JSON.parse(json) as News).progress, true);
  }
}
