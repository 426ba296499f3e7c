import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { GroupState, Hold, Limits, RequestKeys } from "../store";
import { acceptanceOf, RECOVERING } from "./entries";
import type { Health } from "./health";
import type { Group, News } from "./membership";
import type { Holdings } from "./recovery";

const LIMITS = ["rate", "entries", "bytes", "places"] as const;

/** The limits, the pause and the trouble that a group shares: as this instance has set them, and as Redis knows them. */
export class GroupSettings {
  #limits: Limits | undefined;
  /** Redis does not know these limits yet. */
  #areLimitsNew = false;
  readonly #differences = new Set<string>();
  /** Changes that Redis does not know yet. */
  #changes: Record<string, string> = {};
  /** The changes that were written last, and when: news that were asked for before do not have them. Monotonic milliseconds. */
  #trouble = { at: -Infinity, value: "" };
  #written: { readonly changes: Record<string, string>; readonly at: number } = { changes: {}, at: -Infinity };
  /** The last release of held-back entries, as Redis names it. */
  #released = "";
  /** The state of the group as Redis knew it last. */
  #news: News | undefined;

  constructor(
    private readonly group: Group,
    private readonly onDifference: (limit: keyof Limits) => void,
  ) {}

  get limits(): Limits | undefined {
    return this.#limits;
  }

  setLimits(limits: Limits): void {
    this.#limits = limits;
    this.#areLimitsNew = true;
    this.#differences.clear();
    if (this.group.connection.isReady) void this.group.renew().then(() => this.#areLimitsNew && this.group.renewIn(0));
  }

  /** Resolves when Redis knows this instance and its limits, or does not answer. To whether that took a renewal. */
  async known(): Promise<boolean> {
    if (!this.#areLimitsNew) return false;
    for (let n = 0; n < 2 && this.#areLimitsNew && this.group.connection.isReady; n += 1) await this.group.renew();
    return true;
  }

  /** Rejects if Redis does not answer: then it is tried with the next renewal. */
  hold({ paused, isProven, isReleased }: Hold & { readonly isReleased: boolean }): Promise<void> {
    if (isReleased) this.#released = randomUUID();
    return this.#change({
      ...(paused !== undefined && { paused: paused ? "1" : "", lost: "" }),
      ...(isProven && { proven: "1" }),
      ...(isReleased && { released: this.#released }),
    });
  }

  /** Returns whether held-back entries were released since the last news. */
  heard(news: News): boolean {
    this.#news = news;
    const { released = news.released } = this.#unknownTo(news);
    const isReleased = this.#released !== released;
    this.#released = released;
    return isReleased;
  }

  /** Writes down what Redis does not know, and compares the limits. */
  async write(news: News): Promise<void> {
    await this.#writeLimits(news);
    await this.#writeChanges();
  }

  /** What a Redis that has forgotten it is given. */
  get asWritten(): object {
    const {
      version = 0,
      paused = false,
      isProven = false,
      trouble = "",
      released = "",
      limits = [],
    } = this.#news ?? {};
    const [rate, entries, bytes, places] = limits;
    const isSet = rate ? { rate, entries, bytes, places } : {};
    return { version, paused: paused ? "1" : "", proven: isProven ? "1" : "", trouble, released, ...isSet };
  }

  get state(): GroupState | undefined {
    const news = this.#news;
    if (!news) return undefined;
    const { paused = news.paused ? "1" : "" } = this.#unknownTo(news);
    return {
      paused: paused === "1",
      isProven: news.isProven,
      trouble: this.#troubleIn(news),
      rate: Number(news.limits[0] || (this.#limits?.rate ?? 0)),
      others: news.others,
    };
  }

  /** What this instance has written, or found instead: news may have been asked for before. */
  knowsTrouble(value: string): void {
    this.#trouble = { at: performance.now(), value };
  }

  #troubleIn({ askedAt, trouble }: News): string {
    return askedAt <= this.#trouble.at ? this.#trouble.value : trouble;
  }

  /** Changes of this instance that news of the group do not have yet. */
  #unknownTo({ askedAt }: News): Record<string, string> {
    return askedAt <= this.#written.at ? { ...this.#written.changes, ...this.#changes } : this.#changes;
  }

  async #change(changes: Record<string, string>): Promise<void> {
    this.#changes = { ...this.#changes, ...changes };
    if (this.group.hasJoined) await this.#writeChanges();
  }

  async #writeLimits({ limits }: News): Promise<void> {
    const mine = this.#limits;
    if (!mine) return;
    if (this.#areLimitsNew || !limits[0]) {
      await this.group.lease.call("set", ...LIMITS.flatMap((name) => [name, mine[name]]));
      if (mine === this.#limits) this.#areLimitsNew = false;
      this.group.renewIn(0);
      return;
    }
    for (const [n, name] of LIMITS.entries()) {
      if (Number(limits[n]) === mine[name] || this.#differences.has(name)) continue;
      this.#differences.add(name);
      this.onDifference(name);
    }
  }

  async #writeChanges(): Promise<void> {
    const changes = this.#changes;
    if (Object.keys(changes).length === 0) return;
    const at = performance.now();
    await this.group.lease.call("set", ...Object.entries(changes).flat());
    this.#written = { changes, at };
    if (this.#changes === changes) this.#changes = {};
    this.group.renewIn(0);
  }
}

/** The records of this instance in Redis. Names and values are JSON there. */
export class StoredRecords {
  constructor(
    private readonly group: Group,
    private readonly health: Health,
    private readonly holdings: Holdings,
  ) {}

  async set(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean> {
    const [key, json] = [JSON.stringify(name), JSON.stringify(value)];
    if (value === undefined) return this.#remove(key);
    const isMine = await this.#answer(expected, key, json, "");
    if (isMine) this.holdings.records.set(key, json);
    else this.holdings.records.delete(key);
    return isMine;
  }

  note(name: string, note: unknown): Promise<boolean> {
    return this.#answer("note", JSON.stringify(name), JSON.stringify(note), randomUUID());
  }

  async #remove(key: string): Promise<boolean> {
    const { records, removing } = this.holdings;
    records.delete(key);
    removing.add(key);
    const isRemoved = (await this.group.insist("record", "remove", key, "", "")) === 1;
    removing.delete(key);
    return isRemoved;
  }

  /** An unknown answer must not count as a refusal: the owner would give up its record. */
  async #answer(...args: readonly string[]): Promise<boolean> {
    const answer = await this.health.ask("record", ...args);
    if (answer !== 0 && answer !== 1) throw new Error(RECOVERING);
    return answer === 1;
  }
}

/** The keys of requests that are no call-outs. */
export function requestKeys(group: Group, health: Health, holdings: Holdings): RequestKeys {
  return {
    take: async ({ hash, forMs }) => {
      const [at, by] = [Date.now(), randomUUID()];
      const args = ["take", hash, forMs, "", at, by] as const;
      // The same use again is no second use.
      const again = async () => (await group.insist("key", ...args)) as string[] | undefined;
      const acceptance = acceptanceOf(await health.certain("key", args, again));
      if (acceptance.kind === "accepted") holdings.tookKey({ hash, forMs, at });
      return acceptance;
    },
    settle: ({ hash, forMs }, outcome) => {
      const use = holdings.settledKey(hash, outcome);
      void group.insist("key", "settle", hash, forMs, "", use?.at ?? 0, outcome);
    },
    keep: ({ hash, forMs }) => {
      const at = Date.now();
      holdings.recent.settled({ hash, forMs, at }, forMs > 0 ? "applied" : "not-applied");
      return group.insist("key", "keep", hash, forMs, "", at);
    },
    try: async ({ hash, forMs, uses }) =>
      acceptanceOf(await health.certain("key", ["try", hash, forMs, uses ?? "", 0, ""], async () => undefined)),
  };
}
