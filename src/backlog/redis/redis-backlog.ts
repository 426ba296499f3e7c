import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Acceptance, Backlog, Counts, End, Entry, FirstUse, Handlers, Key, Limits, Outcome } from "../backlog";
import { Pacer } from "../local/pacer";
import type { Redis } from "./connection";

/** What an instance holds goes to another one when it has not reported for this long. Milliseconds. */
const LEASE_MS = 15_000;
/** What waited through a longer stop of all instances does not start by itself. Milliseconds. */
const SHORT_STOP_MS = 15 * 60_000;
/** An entry is claimed this long before its start, so that the round trip does not delay it. Milliseconds. */
const LEAD_MS = 20;
const TAKE_AT_ONCE = 64;
const MAIL_AT_ONCE = 200;
const DROP_AT_ONCE = 500;

interface Head {
  readonly owner: string;
  readonly nodeId: string;
  readonly size: number;
  readonly notAfter?: number;
  readonly hash?: string;
  readonly forMs?: number;
}

/** A backlog that all instances with the same Redis and group share. */
export class RedisBacklog implements Backlog {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #leaseMs: number;
  /** Another one after a lease has run out: what belonged to the old one was inherited. */
  #instance = randomUUID();
  #handlers: Handlers | undefined;
  readonly #pacer = new Pacer(0);
  /** Claimed entries that have not been settled. */
  readonly #claimed = new Set<string>();
  /** Of these, the ones that have not begun. */
  #beginning = 0;
  #counts: Counts = { waiting: 0, paused: false, heldUntil: undefined };
  /** The reply to a take was lost: what it claimed has to be given back before the next one. */
  #isUnsure = false;
  #taking: Promise<void> | undefined;
  #takeAgain = false;
  #telling: Promise<void> | undefined;
  #tellAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param prefix names the group; instances that differ in mode, address or format have different ones */
  constructor(redis: Redis, prefix: string, leaseMs = LEASE_MS) {
    this.#redis = redis;
    this.#leaseMs = leaseMs;
    this.#prefix = `{${prefix}}`;
    redis.onMessage((channel, message) => {
      if (channel.endsWith(":wake")) this.look();
      else if (message === this.#instance) this.#tellLater();
    });
    redis.onReady(() => void this.#reconnected());
    redis.onTrouble((reason) => this.#handlers?.trouble(reason));
  }

  get counts(): Counts {
    return this.#counts;
  }

  serve(handlers: Handlers, limits: Limits): void {
    this.#handlers = handlers;
    this.#pacer.rate = limits.rate;
    const { rate, entries, bytes, places } = limits;
    void this.#set({ rate: String(rate), entries: String(entries), bytes: String(bytes), places: String(places) });
    this.#beats ??= setInterval(() => void this.#beat(), this.#leaseMs / 5);
    void this.#reconnected();
  }

  async accept(entry: Entry): Promise<Acceptance> {
    const { id, nodeId, size, notAfter, key, content } = entry;
    const head: Head = {
      owner: this.#instance,
      nodeId,
      size,
      ...(notAfter !== undefined && { notAfter }),
      ...(key && { hash: key.hash, forMs: key.forMs }),
    };
    const value = `${JSON.stringify(head)}\n${JSON.stringify(content)}`;
    try {
      return acceptanceOf(await this.#call("backlogAccept", id, value, Date.now()));
    } catch (error) {
      if (!this.#redis.mayHaveArrived(error)) return trouble(error);
      return this.#wasAccepted(id, error);
    }
  }

  async takeKey({ hash }: Key): Promise<Acceptance> {
    try {
      return acceptanceOf(await this.#call("backlogTakeKey", hash, Date.now()));
    } catch (error) {
      return trouble(error);
    }
  }

  settleKey({ hash, forMs }: Key, outcome: Outcome): void {
    void this.#insist("backlogSettleKey", hash, forMs, outcome);
  }

  pause(): void {
    void this.#set({ paused: "1" });
  }

  resume(): void {
    void this.#set({ paused: "", heldUntil: "" });
  }

  hold(until: number): void {
    void this.#set({ heldUntil: String(until) });
  }

  async drop(nodeId = ""): Promise<number> {
    let dropped = 0;
    for (let from = "-inf"; from !== "-1"; ) {
      const [next, count] = (await this.#call("backlogDrop", nodeId, from, DROP_AT_ONCE)) as [string, number];
      dropped += count;
      from = next;
    }
    return dropped;
  }

  look(): void {
    if (this.#closed) return;
    this.#takeAgain = true;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
      if (this.#takeAgain) this.look();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#beats);
    clearTimeout(this.#timer);
    await this.#taking;
    await this.#call("backlogReclaim", this.#instance, ...this.#claimed).catch(() => {});
    await this.#telling;
    this.#redis.close();
  }

  async #take(): Promise<void> {
    while (this.#takeAgain && !this.#closed) {
      this.#takeAgain = false;
      const most = Math.min((this.#handlers?.places() ?? 0) - this.#beginning, TAKE_AT_ONCE);
      if (most <= 0) return this.#count();
      let answer: string[];
      try {
        if (this.#isUnsure) await this.#call("backlogReclaim", this.#instance, ...this.#claimed);
        this.#isUnsure = true;
        answer = (await this.#call("backlogTake", this.#instance, most, LEAD_MS)) as string[];
        this.#isUnsure = false;
      } catch {
        // It is tried again when the connection is there.
        return;
      }
      const [wait = "-1", ...taken] = answer;
      for (let n = 0; n < taken.length; n += 3) this.#claim(taken[n] ?? "", taken[n + 1] ?? "", Number(taken[n + 2]));
      if (taken.length / 3 === most) this.#takeAgain = true;
      clearTimeout(this.#timer);
      if (Number(wait) >= 0) this.#timer = setTimeout(() => this.look(), Math.ceil(Number(wait)));
    }
    await this.#count();
  }

  #claim(id: string, value: string, waitMs: number): void {
    this.#claimed.add(id);
    this.#beginning += 1;
    const { entry } = read(id, value);
    const begin = () => {
      this.#beginning -= 1;
      // Closed meanwhile: the claim was given back. Or inherited: somebody was told that it is lost.
      if (this.#closed || !this.#claimed.has(id)) return;
      this.#handlers?.begin({
        entry,
        again: (earliest, latest) => this.#pacer.reserve(performance.now(), earliest, latest),
        settle: (outcome, result) => void this.#settle(id, outcome, result),
      });
    };
    if (waitMs > 0) setTimeout(begin, Math.ceil(waitMs));
    else begin();
  }

  async #settle(id: string, outcome: Outcome, result: unknown): Promise<void> {
    await this.#insist("backlogSettle", this.#instance, id, outcome, JSON.stringify({ result }));
    this.#claimed.delete(id);
  }

  #tellLater(): void {
    this.#tellAgain = true;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
      if (this.#tellAgain) this.#tellLater();
    });
  }

  async #tell(): Promise<void> {
    while (this.#tellAgain) {
      this.#tellAgain = false;
      const items = (await this.#call("backlogMail", this.#instance, MAIL_AT_ONCE).catch(() => [])) as string[];
      for (const item of items) this.#tellOne(item);
      // The next request tells Redis that these were handed on.
      if (items.length > 0) this.#tellAgain = true;
    }
  }

  /** @param item lines: id and outcome, what to tell, head, content */
  #tellOne(item: string): void {
    const lines = item.split("\n");
    // It was being handed on when its instance ended.
    const wasHanded = lines[0] === "handing";
    const [about = "", told = "", ...value] = wasHanded ? lines.slice(1) : lines;
    const { id, outcome } = JSON.parse(about) as { id: string; outcome: Outcome };
    const { entry, head } = read(id, value.join("\n"));
    const end: End = wasHanded ? { untold: outcome } : (JSON.parse(told) as End);
    this.#handlers?.ended(entry, end, head.owner !== this.#instance);
  }

  async #beat(): Promise<void> {
    const state = await this.#call("backlogBeat", this.#instance, this.#leaseMs, SHORT_STOP_MS).catch(() => undefined);
    if (state !== "gone") return;
    // What this instance held was settled as unknown, and is told by its heir.
    this.#instance = randomUUID();
    this.#claimed.clear();
    await this.#beat();
    this.look();
  }

  /** Asks for what may have been missed. */
  async #reconnected(): Promise<void> {
    try {
      await this.#beat();
      this.#handlers?.trouble(undefined);
    } catch {
      return;
    }
    this.look();
    this.#tellLater();
  }

  async #count(): Promise<void> {
    try {
      const [waiting, [paused, heldUntil]] = await this.#redis.counts(this.#prefix);
      this.#counts = {
        waiting,
        paused: paused === "1",
        heldUntil: typeof heldUntil === "string" ? Number(heldUntil) : undefined,
      };
      this.#handlers?.changed();
    } catch {
      // The next change asks again.
    }
  }

  /** Asks by its id whether an entry was accepted, for as long as Redis is away; if it was not, it never will be. */
  async #wasAccepted(id: string, error: unknown): Promise<Acceptance> {
    const answer = await this.#insist("backlogRefuse", id);
    return answer === "accepted" ? { kind: "accepted" } : trouble(error);
  }

  async #set(values: Readonly<Record<string, string>>): Promise<void> {
    await this.#insist("backlogSet", ...Object.entries(values).flat());
    await this.#count();
  }

  #call(name: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#redis.call(name, this.#prefix, args);
  }

  /** Repeats a command whose repetition changes nothing, until Redis has answered or this backlog is closed. */
  async #insist(name: string, ...args: (string | number)[]): Promise<unknown> {
    while (!this.#closed) {
      try {
        return await this.#call(name, ...args);
      } catch {
        await this.#redis.ready();
      }
    }
    return undefined;
  }
}

function read(id: string, value: string): { entry: Entry; head: Head } {
  const cut = value.indexOf("\n");
  const head = JSON.parse(value.slice(0, cut)) as Head;
  const { nodeId, size, notAfter, hash, forMs } = head;
  const entry: Entry = {
    id,
    nodeId,
    size,
    ...(notAfter !== undefined && { notAfter }),
    ...(hash !== undefined && forMs !== undefined && { key: { hash, forMs } }),
    content: JSON.parse(value.slice(cut + 1)),
  };
  return { entry, head };
}

function acceptanceOf(answer: unknown): Acceptance {
  const [kind, use] = answer as [string, string | undefined];
  if (kind === "duplicate") {
    const { at, outcome } = JSON.parse(use ?? "{}") as { at: number; outcome: FirstUse["outcome"] };
    return { kind, first: { at: new Date(at).toISOString(), outcome } };
  }
  if (kind === "full" || kind === "keysFull" || kind === "accepted") return { kind };
  return { kind: "trouble", reason: kind };
}

function trouble(error: unknown): Acceptance {
  return { kind: "trouble", reason: error instanceof Error ? error.message : String(error) };
}
