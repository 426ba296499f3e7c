import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { GroupState, Hold, Limits, RequestKeys } from "../store";
import { acceptanceOf } from "./entries";
import type { Health } from "./health";
import { type Group, LIMITS, type News, type Shared } from "./membership";
import type { Holdings } from "./recovery";

const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

/** The limits, the pause and the trouble that a group shares: as this instance has set them, and as Redis knows them. */
export class GroupSettings {
  limits: Limits | undefined;
  /** Whether Redis does not know these limits yet. */
  #areLimitsNew = false;
  readonly #differences = new Set<string>();
  /** Changes that Redis does not know yet. */
  #changes: Record<string, string> = {};
  /** The values that were written, and when: news that were asked for before do not have it. Monotonic milliseconds. */
  readonly #written = new Map<string, { readonly value: string; readonly at: number }>();
  /** The last release of held-back entries, as Redis names it. */
  #released = "";
  /** The state of the group as Redis knew it last. */
  #news: News | undefined;

  constructor(
    private readonly group: Group,
    private readonly onDifference: (limit: keyof Limits) => void,
  ) {}

  setLimits(limits: Limits): void {
    this.limits = limits;
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
  async hold({ paused, isProven, isReleased }: Hold & { readonly isReleased: boolean }): Promise<void> {
    if (isReleased) this.#released = randomUUID();
    this.#changes = {
      ...this.#changes,
      ...(paused !== undefined && { paused: paused ? "1" : "", lost: "" }),
      ...(isProven && { proven: "1" }),
      ...(isReleased && { released: this.#released }),
    };
    if (this.group.hasJoined) await this.#writeChanges();
  }

  /** Returns whether held-back entries were released since the last news. */
  heard(news: News): boolean {
    this.#news = news;
    const { released } = this.#sharedIn(news);
    const isReleased = this.#released !== released;
    this.#released = released;
    return isReleased;
  }

  /** Writes down what Redis does not know, and compares the limits. */
  async write({ shared }: News): Promise<void> {
    const mine = this.limits;
    if (mine && (this.#areLimitsNew || shared.rate === "")) {
      await this.group.lease.call("set", ...NAMES.flatMap((name) => [name, mine[LIMITS[name]]]));
      if (mine === this.limits) this.#areLimitsNew = false;
      this.group.renewIn(0);
    } else if (mine) {
      for (const name of NAMES) {
        const limit = LIMITS[name];
        if (Number(shared[name]) === mine[limit] || this.#differences.has(limit)) continue;
        this.#differences.add(limit);
        this.onDifference(limit);
      }
    }
    await this.#writeChanges();
  }

  /** The state that a Redis is given that has forgotten it. */
  get asWritten(): Partial<Shared> {
    return this.#news?.shared ?? {};
  }

  get state(): GroupState | undefined {
    const news = this.#news;
    if (!news) return undefined;
    const { paused, proven, trouble, rate } = this.#sharedIn(news);
    return {
      paused: paused === "1",
      isProven: proven === "1",
      trouble,
      rate: Number(rate || (this.limits?.rate ?? 0)),
      others: news.others,
    };
  }

  /** Notes what this instance has written, or found instead: news may have been asked for before. */
  knowsTrouble(value: string): void {
    this.#written.set("trouble", { value, at: performance.now() });
  }

  /** Returns what the group shares, with the changes of this instance that news do not have yet. */
  #sharedIn({ shared, askedAt }: News): Shared {
    const newer = [...this.#written].flatMap(([name, { value, at }]) => (askedAt <= at ? [[name, value]] : []));
    return { ...shared, ...Object.fromEntries(newer), ...this.#changes };
  }

  async #writeChanges(): Promise<void> {
    const changes = this.#changes;
    if (Object.keys(changes).length === 0) return;
    const at = performance.now();
    await this.group.lease.call("set", ...Object.entries(changes).flat());
    for (const [name, value] of Object.entries(changes)) this.#written.set(name, { value, at });
    if (this.#changes === changes) this.#changes = {};
    this.group.renewIn(0);
  }
}

export function requestKeys(group: Group, health: Health, holdings: Holdings): RequestKeys {
  return {
    take: async ({ hash, forMs }) => {
      const at = Date.now();
      const acceptance = acceptanceOf(await health.certain("key", ["take", hash, forMs, "", at, randomUUID()]));
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
    free: async () => {
      const [kind, count] = await health.certain("key", ["free", "", 0, "", 0, ""], async () => undefined);
      return kind === "accepted" ? Number(count) : undefined;
    },
    try: async ({ hash, forMs, uses }) =>
      acceptanceOf(await health.certain("key", ["try", hash, forMs, uses ?? "", 0, ""], async () => undefined)),
  };
}
