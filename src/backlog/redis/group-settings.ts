import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { GroupState, Hold, Limits } from "../store";
import type { Group } from "./group";
import type { News } from "./lease";

const LIMITS = ["rate", "entries", "bytes", "places"] as const;

/** The limits, the pause and the hold that a group shares: as this instance has set them, and as Redis knows them. */
export class GroupSettings {
  readonly #group: Group;
  readonly #onDifference: (limit: keyof Limits) => void;
  #limits: Limits | undefined;
  /** Redis does not know these limits yet. */
  #areLimitsNew = false;
  readonly #differences = new Set<string>();
  /** Changes that Redis does not know yet. */
  #changes: Record<string, string> = {};
  /** The changes that were written last, and when: news that were asked for before do not have them. Monotonic milliseconds. */
  #written: { readonly changes: Record<string, string>; readonly at: number } = { changes: {}, at: -Infinity };
  /** The last release of held-back entries, as Redis names it. */
  #released = "";

  constructor(group: Group, onDifference: (limit: keyof Limits) => void) {
    this.#group = group;
    this.#onDifference = onDifference;
  }

  get limits(): Limits | undefined {
    return this.#limits;
  }

  setLimits(limits: Limits): void {
    this.#limits = limits;
    this.#areLimitsNew = true;
    this.#differences.clear();
    if (this.#group.connection.isReady)
      void this.#group.renew().then(() => this.#areLimitsNew && this.#group.renewIn(0));
  }

  /** Resolves when Redis knows this instance and its limits, or does not answer. To whether that took a renewal. */
  async known(): Promise<boolean> {
    if (!this.#areLimitsNew) return false;
    for (let n = 0; n < 2 && this.#areLimitsNew && this.#group.connection.isReady; n += 1) await this.#group.renew();
    return true;
  }

  /** Rejects if Redis does not answer: then it is tried with the next renewal. */
  hold({ paused, heldUntil, isReleased }: Hold & { readonly isReleased: boolean }): Promise<void> {
    if (isReleased) this.#released = randomUUID();
    return this.#change({
      ...(paused !== undefined && { paused: paused ? "1" : "", lost: "" }),
      ...(heldUntil !== undefined && { heldUntil: heldUntil === null ? "" : String(heldUntil) }),
      ...(isReleased && { released: this.#released }),
    });
  }

  /** Whether held-back entries were released since this was called last. */
  isReleased(news: News): boolean {
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

  stateOf(news: News): GroupState {
    const { paused = news.paused ? "1" : "", heldUntil = news.heldUntil } = this.#unknownTo(news);
    return {
      paused: paused === "1",
      heldUntil: heldUntil === undefined || heldUntil === "" ? undefined : Number(heldUntil),
      rate: Number(news.limits[0] || (this.#limits?.rate ?? 0)),
      others: news.others,
    };
  }

  /** Changes of this instance that news of the group do not have yet. */
  #unknownTo({ askedAt }: News): Record<string, string> {
    return askedAt <= this.#written.at ? { ...this.#written.changes, ...this.#changes } : this.#changes;
  }

  async #change(changes: Record<string, string>): Promise<void> {
    this.#changes = { ...this.#changes, ...changes };
    if (this.#group.hasJoined) await this.#writeChanges();
  }

  async #writeLimits({ limits }: News): Promise<void> {
    const mine = this.#limits;
    if (!mine) return;
    if (this.#areLimitsNew || !limits[0]) {
      await this.#group.lease.call("set", ...LIMITS.flatMap((name) => [name, mine[name]]));
      if (mine === this.#limits) this.#areLimitsNew = false;
      this.#group.renewIn(0);
      return;
    }
    for (const [n, name] of LIMITS.entries()) {
      if (Number(limits[n]) === mine[name] || this.#differences.has(name)) continue;
      this.#differences.add(name);
      this.#onDifference(name);
    }
  }

  async #writeChanges(): Promise<void> {
    const changes = this.#changes;
    if (Object.keys(changes).length === 0) return;
    const at = performance.now();
    await this.#group.lease.call("set", ...Object.entries(changes).flat());
    this.#written = { changes, at };
    if (this.#changes === changes) this.#changes = {};
    this.#group.renewIn(0);
  }
}
