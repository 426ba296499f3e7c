import { type Connection, NotSent } from "./connection";
import type { FunctionName } from "./functions";
import { Lease, type News, type Progress } from "./lease";

/** Writes that must not be lost are repeated after this pause, or as soon as there is a connection. Milliseconds. */
const PAUSE_MS = 1000;

const MOST_TRIES = 3;

/** Callbacks of a group to its store. */
interface Member {
  /** Another instance has restored the entries of this one. */
  onInherited(): void;
  /** Redis has lost everything. */
  onLost(): void;
  /** The parts of the state that a Redis has to be given again after it has forgotten. */
  parts(): Iterable<string>;
  /** The lease was renewed. */
  onNews(news: News): Promise<void>;
  onFailure(error: Error): void;
}

/** A group in Redis, as this process takes part in it. */
export class Group {
  readonly connection: Connection;
  readonly lease: Lease;
  readonly #member: Member;
  readonly #pauses = new Set<() => void>();
  #phase: "away" | "joined" | "closed" = "away";
  #hasReconnected = false;
  /** The entries of this instance have to be written again, perhaps because that failed before. */
  #mustRewrite = false;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: Connection, prefix: string, leaseMs: number, progress: Progress | undefined, member: Member) {
    this.connection = connection;
    this.lease = new Lease(connection, prefix, leaseMs, progress);
    this.#member = member;
  }

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
      .catch((error: Error) => this.#member.onFailure(error))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  renewIn(ms: number): void {
    if (this.#phase !== "closed") this.#timer ??= setTimeout(() => void this.renew(), ms);
  }

  /** Nothing is sent before the lease was renewed. */
  disconnected(): void {
    if (this.#phase === "joined") this.#phase = "away";
    this.#hasReconnected = true;
  }

  /** There is a connection again. */
  async connected(): Promise<void> {
    this.disconnected();
    for (const end of this.#pauses) end();
    await this.renew();
  }

  /** Redis does not know an entry of this instance, although it does not seem to have forgotten: a key was deleted. */
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
      if (!isUnknown(answer) || tries === MOST_TRIES) return answer;
      await this.renew();
      if (!this.hasJoined) throw new NotSent();
    }
  }

  /** Repeats a function whose repetition changes nothing. Resolves to `undefined` if the group is closed before Redis has answered. */
  async insist(name: FunctionName, ...args: readonly (string | number)[]): Promise<unknown> {
    while (this.#phase !== "closed") {
      try {
        const answer = await this.ask(name, ...args);
        if (!isUnknown(answer)) return answer;
      } catch {
        await this.#pause();
      }
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
    for (const end of this.#pauses) end();
    this.connection.close();
  }

  async #renew(): Promise<void> {
    for (;;) {
      const hasReconnected = this.#hasReconnected;
      const renewal = await this.lease.renew(hasReconnected);
      if (renewal.kind === "gone") {
        this.#mustRewrite = false;
        this.#member.onInherited();
      } else if (renewal.kind === "forgotten" || this.#mustRewrite) {
        if (renewal.news.lost) this.#member.onLost();
        await this.#rewrite();
      } else {
        if (this.#phase === "away") this.#phase = "joined";
        await this.#member.onNews(renewal.news);
        return;
      }
      if (hasReconnected) this.#hasReconnected = false;
    }
  }

  async #rewrite(): Promise<void> {
    if (this.#phase === "joined") this.#phase = "away";
    this.#mustRewrite = true;
    const [...parts] = this.#member.parts();
    for (const [n, part] of parts.entries())
      if (isUnknown(await this.lease.call("rewrite", n === parts.length - 1 ? "1" : "", part))) return;
    this.#mustRewrite = false;
  }

  #pause(): Promise<void> {
    if (this.#phase === "closed") return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, PAUSE_MS);
      this.#pauses.add(end);
    });
  }
}

/** Whether Redis has not done it, because it has forgotten something or does not know the instance. */
function isUnknown(answer: unknown): boolean {
  const first: unknown = Array.isArray(answer) ? answer[0] : answer;
  return first === "forgotten" || first === "absent";
}
