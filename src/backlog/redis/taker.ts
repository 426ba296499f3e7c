import { performance } from "node:perf_hooks";
import type { Outcome } from "../entry";
import type { Counts, Handlers } from "../handlers";
import { Pacer } from "../pacer";
import type { Group } from "./group";
import { readEntry } from "./stored-entry";

/** An entry is claimed this long before its start, so that round trip and disk do not delay it. Milliseconds. */
const LEAD_MS = 50;
const AT_ONCE = 64;
/** An instance that can begin nothing asks for the counts at most this often. Milliseconds. */
const COUNT_MS = 100;

/** What a taker tells its backlog. */
export interface TakerEvents {
  counted(counts: Counts): void;
  /** Redis does not know this instance: its lease has run out, or Redis has forgotten it. */
  absent(): void;
  failed(error: unknown): void;
}

/** Takes entries from a group while this process has places for them, and settles them. */
export class Taker {
  readonly #group: Group;
  readonly #events: TakerEvents;
  readonly #pacer = new Pacer(0);
  #handlers: Handlers | undefined;
  /** Claimed entries that have not been settled, by id. */
  readonly #claimed = new Map<string, { hasBegun: boolean }>();
  readonly #settling = new Set<Promise<void>>();
  /** Counts the takes whose reply was lost. */
  #epoch = 0;
  /** The reply to a take was lost: what it claimed has to be given back before the next one. */
  #isUnsure = false;
  /** Something was claimed that does not begin. */
  #hasIdle = false;
  #taking: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #counting: NodeJS.Timeout | undefined;
  #countAgain = false;
  #resting = true;

  constructor(group: Group, events: TakerEvents) {
    this.#group = group;
    this.#events = events;
  }

  serve(handlers: Handlers): void {
    this.#handlers = handlers;
    this.#resting = false;
  }

  set rate(perSecond: number) {
    this.#pacer.rate = perSecond;
  }

  /** Whether starts are open, for entries that do not begin at any time. */
  get isOpen(): boolean {
    return this.#handlers?.isOpen() ?? true;
  }

  look(): void {
    if (this.#resting) return;
    this.#again = true;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
      if (this.#again && this.#group.connection.isReady) this.look();
    });
  }

  /** Takes nothing more, and gives back what has not begun. */
  async rest(): Promise<void> {
    this.#resting = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#counting);
    this.#counting = undefined;
    await this.#taking;
    const waiting = [...this.#claimed].filter(([, { hasBegun }]) => !hasBegun);
    for (const [id] of waiting) this.#claimed.delete(id);
    if (waiting.length > 0 || this.#isUnsure || this.#hasIdle) await this.#giveBack().catch(() => {});
  }

  /** Whether this process performs an entry. */
  has(id: string): boolean {
    return this.#claimed.has(id);
  }

  /** Resolves when Redis knows what was settled. */
  async settled(): Promise<void> {
    await Promise.all(this.#settling);
  }

  /** Another instance has inherited: somebody was told that what had not begun is lost. */
  forget(): void {
    this.#claimed.clear();
    this.#isUnsure = false;
    this.#hasIdle = false;
    this.#epoch = 0;
  }

  async #take(): Promise<void> {
    while (this.#again && !this.#resting) {
      this.#again = false;
      const beginning = [...this.#claimed.values()].filter(({ hasBegun }) => !hasBegun).length;
      const most = Math.max(0, Math.min((this.#handlers?.places() ?? 0) - beginning, AT_ONCE));
      if (most === 0 && this.#counting) {
        this.#countAgain = true;
        return;
      }
      if (most === 0) this.#countLater();
      const { instance } = this.#group.member;
      let answer: string[];
      try {
        if (this.#isUnsure || this.#hasIdle) await this.#giveBack();
        this.#isUnsure = most > 0;
        const isOpen = this.isOpen ? 1 : 0;
        answer = (await this.#group.call("backlogTake", instance, this.#epoch, most, LEAD_MS, isOpen)) as string[];
        this.#isUnsure = false;
      } catch (error) {
        // It is tried again with the next beat, or when there is a connection.
        this.#events.failed(error);
        return;
      }
      const [about = "", ...taken] = answer;
      if (about === "absent") {
        this.#events.absent();
        return;
      }
      for (let n = 0; n < taken.length; n += 3)
        this.#claim(instance, taken[n] ?? "", taken[n + 1] ?? "", Number(taken[n + 2]));
      if (most > 0 && taken.length / 3 === most) this.#again = true;
      this.#count(about, most > 0);
    }
  }

  #count(about: string, mayBegin: boolean): void {
    const { wait, heldUntil, ...counts } = JSON.parse(about) as Counts & { wait: number };
    this.#events.counted({ ...counts, heldUntil });
    clearTimeout(this.#timer);
    if (mayBegin && wait >= 0 && !this.#resting) this.#lookIn(wait);
  }

  #lookIn(ms: number): void {
    this.#timer = setTimeout(() => this.look(), Math.min(Math.ceil(ms), 2 ** 31 - 1));
  }

  #countLater(): void {
    this.#counting = setTimeout(() => {
      this.#counting = undefined;
      if (this.#countAgain) this.look();
      this.#countAgain = false;
    }, COUNT_MS);
  }

  async #giveBack(): Promise<void> {
    const { instance } = this.#group.member;
    this.#isUnsure = true;
    this.#hasIdle = false;
    await this.#group.call("backlogReclaim", instance, this.#epoch + 1, ...this.#claimed.keys());
    this.#isUnsure = false;
    this.#epoch += 1;
  }

  #claim(instance: string, id: string, value: string, waitMs: number): void {
    const claim = { hasBegun: false };
    this.#claimed.set(id, claim);
    const begin = () => {
      // The claim was given back, or inherited.
      if (this.#resting || this.#claimed.get(id) !== claim) return;
      claim.hasBegun = this.#group.member.isSafe;
      if (claim.hasBegun) this.#begin(instance, id, value);
      else {
        this.#claimed.delete(id);
        this.#hasIdle = true;
      }
    };
    if (waitMs > 0) setTimeout(begin, Math.ceil(waitMs));
    else begin();
  }

  #begin(instance: string, id: string, value: string): void {
    const entry = readEntry(id, value);
    this.#handlers?.begin({
      entry,
      sender: undefined,
      requeue: () => {
        this.#claimed.delete(id);
        this.#hasIdle = true;
        if (this.#resting) this.#follow(this.#giveBack().catch(() => {}));
        else this.look();
      },
      acquireSendSlot: () => this.#pacer.acquireSendSlot(performance.now()),
      retryAt: (earliest, latest) => {
        const at = this.#pacer.reserve(performance.now(), earliest, latest);
        if (at !== undefined) void this.#group.call("backlogSpend").catch(() => {});
        return at;
      },
      settle: (outcome, result) => {
        this.#follow(this.#settle(instance, id, value, outcome, JSON.stringify({ result })));
      },
    });
  }

  #follow(settling: Promise<void>): void {
    this.#settling.add(settling);
    void settling.finally(() => this.#settling.delete(settling));
  }

  /** Redis may have forgotten the entry, e.g. after a failover: then it is told what it has forgotten. */
  async #settle(instance: string, id: string, value: string, outcome: Outcome, told: string): Promise<void> {
    const answer = await this.#group.insist("backlogSettle", instance, id, outcome, told, "");
    if (answer === "forgotten") await this.#group.insist("backlogSettle", instance, id, outcome, told, value);
    this.#claimed.delete(id);
  }
}
