import { type Connection, mayHaveArrived, NotSent } from "./connection";
import type { Group } from "./membership";

/** The durability of Redis: an answered write is on its disk at once, a second later, or perhaps never. */
export type Durability = "always" | "everysec" | "none" | "unknown";

/** Finds out how durable answered writes are, and the policy of a Redis that deletes entries when full, if Redis shows it. */
export async function factsOf(connection: Connection): Promise<readonly [Durability, eviction: string | undefined]> {
  const names = ["appendonly", "appendfsync", "maxmemory", "maxmemory-policy"];
  const answer = (await connection.command("CONFIG", "GET", ...names).catch(() => [])) as string[];
  const [appendonly, appendfsync, memory = "0", policy = "noeviction"] = names.map((name) => {
    const at = answer.indexOf(name);
    return at < 0 ? undefined : answer[at + 1];
  });
  const eviction = memory === "0" || policy === "noeviction" ? undefined : policy;
  if (appendonly === undefined || appendfsync === undefined) {
    const info = await connection.command("INFO", "persistence").catch(() => "");
    return [String(info).includes("aof_enabled:0") ? "none" : "unknown", eviction];
  }
  if (appendonly !== "yes" || appendfsync === "no") return ["none", eviction];
  // A replica follows a little behind.
  return [appendfsync === "always" && !connection.hasReplicas ? "always" : "everysec", eviction];
}

/** The reactions of a store when Redis begins to fail, or to work. */
export interface HealthListener {
  /** Reports each time that Redis has refused something, or could not be reached. */
  onFailure?(error: Error): void;
  /** Reports that Redis works, for the first time or again. */
  onWorks?(): void;
  /** Reports why Redis fails, or (`undefined`) that it works again: once, although a Redis that is away or full fails at each attempt. */
  onChange(failure: string | undefined): void;
}

/** Asks Redis on behalf of a store, and knows whether that works. */
export class Health {
  failure: string | undefined;
  /** Whether it refuses to write. */
  isFull = false;
  /** Whether its latest changes are being written again. */
  isRecovering = false;
  #hasWorked = false;

  constructor(
    private readonly group: Group,
    private readonly listener: HealthListener,
  ) {}

  /** Asks, and reports what keeps Redis from answering. */
  async ask(...call: Parameters<Group["ask"]>): Promise<unknown> {
    try {
      return await this.group.ask(...call);
    } catch (error) {
      this.failed(error as Error);
      throw new Error(this.failure ?? (error as Error).message);
    }
  }

  /**
   * The answer of a function, or why there is none.
   * @param again called when the reply was lost; by default it repeats the function, whose repetition changes nothing
   */
  async certain(
    name: "accept" | "key" | "decide",
    args: readonly (string | number)[],
    again: () => Promise<unknown> = () => this.group.insist(name, ...args),
  ): Promise<string[]> {
    try {
      const answer = (await this.group.ask(name, ...args)) as string[];
      if (this.isFull) {
        this.isFull = false;
        this.works();
      }
      return answer;
    } catch (error) {
      this.failed(error as Error);
      const answer = mayHaveArrived(error) ? ((await again()) as string[] | undefined) : undefined;
      return answer ?? [this.failure ?? (error as Error).message];
    }
  }

  failed(error: Error): void {
    if (error instanceof NotSent) return;
    if (error.message.startsWith("OOM ")) this.isFull = true;
    // The primary has become a replica.
    if (error.message.startsWith("READONLY ")) this.group.connection.reconnect();
    this.report(error.message);
    this.listener.onFailure?.(error);
  }

  report(failure: string | undefined): void {
    if ((failure === undefined) === (this.failure === undefined)) return;
    this.failure = failure;
    this.listener.onChange(failure);
  }

  works(): void {
    const { isReady, hears } = this.group.connection;
    if (!this.group.hasJoined || this.isFull || !isReady || !hears || this.isRecovering) return;
    if (this.#hasWorked && this.failure === undefined) return;
    this.#hasWorked = true;
    this.report(undefined);
    this.listener.onWorks?.();
  }
}
