import { Call, move, type Watcher } from "./call";
import type { Decisions } from "./decisions";
import type { Cut, Entry, Key, Outcome, Settlement } from "./entry";
import type { Queue } from "./queue";
import type { RestoredHandlers } from "./records";
import type { Counts, Store } from "./store";
import type { Patience } from "./trouble/trials";

/** Ends that are given to the store without letting the process do anything else. */
const STORED_AT_ONCE = 200;
/** Ends that a slow store may have to store at the same time. */
const MOST_STORING = 5000;

/** Performs what a backlog begins, and watches its calls. */
export interface Handlers extends Watcher {
  readonly restored?: RestoredHandlers | undefined;
  /** `undefined`: no call waits for the service. */
  readonly patience?: Patience | undefined;
  /** Counts how many may begin now; asked again right before one begins. If there are more later, call `Loop.dispatch`. */
  slots(): number;
  /** Counts requests of this process that wait outside the backlog and count against the limits. */
  others(): Pick<Counts, "waiting" | "bytes">;
  /** Whether starts are open, for entries that do not begin at any time. If that changes, call `hoursChanged`. */
  isOpen(): boolean;
  /** Whether they were for a moment between the time an entry was free to go and an instant; `undefined`: unknown yet. Default: yes. */
  wasOpen?(entry: Entry, until: number): boolean | undefined;
  /** Performs a call, and settles it or lets it wait again. */
  begin(call: Call): void;
  /** The keys of which an entry takes a use at its date. */
  dueKeys?(entry: Entry): readonly Key[];
  /** A call has ended that nobody has settled, or one of an earlier process. Call `forget` once the flow or a person knows. */
  end(call: Call, settlement: Settlement): void;
  /** An entry whose outcome is unknown was forgotten, because there are too many. */
  onUnknownFull?(): void;
  /** The counts have changed. */
  onChange(): void;
  /** The store fails, or (`undefined`) works again. */
  onFailure(reason: string | undefined): void;
}

/** Ends calls, each once: an end is stored before it is reported, since a crash in between must not report it twice. */
export class Ends {
  handlers: Handlers | undefined;
  /** Resolves when all ends by `cutAll` are stored. */
  stored: Promise<unknown> = Promise.resolve();

  /** @param waitsAgain called when a call waits as before, because its end could not be stored */
  constructor(
    private readonly store: Store,
    private readonly queue: Queue,
    private readonly decisions: Decisions,
    private readonly waitsAgain: () => void,
  ) {}

  /**
   * Stores the end of a call. Resolves to whether it has ended so, and its owner is still to be told: another instance may have
   * restored it meanwhile, and reports it.
   * @param kept its entry, if its outcome is unknown and a person is to decide what became of it
   */
  async settle(call: Call, outcome: Outcome, kept?: Entry): Promise<boolean> {
    this.queue.pacer.stopped(call);
    if (kept) call.entry = kept;
    return move(call, "ending", this.queue) && this.#write(call, outcome, false);
  }

  /**
   * Ends a call that has not begun. Resolves to whether it ends so.
   * @param mayFail rejects if the store cannot write it down: then the call waits as before
   */
  async cut(call: Call, cut: Cut, mayFail = false): Promise<boolean> {
    if (call.isAtRest) return this.#cut(call, { cut }, mayFail);
    // If nothing comes of its request, it does not wait again.
    if (call.stage === "begun") void this.#endLater(call, cut);
    return call.isWaiting && this.#endLater(call, cut, mayFail);
  }

  /** The uses of a key that it takes at its date are used up. */
  async usedUp(call: Call, retryAfterMs: number): Promise<void> {
    await this.#cut(call, { cut: "usedUp", retryAfterMs });
  }

  /** Ends those that have not begun. Resolves to how many. With `mayFail`, rejects if one of them rejects as `cut` does. */
  cutAll(cut: Cut, calls: readonly Call[], mayFail = false): Promise<number> {
    const cutting = this.#cutInSteps(cut, calls, mayFail);
    this.stored = Promise.allSettled([this.stored, cutting]);
    return cutting;
  }

  /** Ends what waits in this process for deleted nodes: a store that fails writes that down when it works again. Returns how many. */
  dropDeleted(): Promise<number> {
    const { restored } = this.handlers ?? {};
    /** By type and id: thousands may wait for one node. */
    const known = new Map<string, boolean>();
    const deleted = this.queue.filter(({ entry }) => {
      const key = `${entry.nodeType} ${entry.nodeId}`;
      const isDeleted = known.get(key) ?? restored?.isDeleted(entry) === true;
      known.set(key, isDeleted);
      return isDeleted;
    });
    return this.cutAll("dropped", deleted);
  }

  /** Ends a call that was to be ended while the store was being asked about it. Returns whether it was. */
  endIfAsked(call: Call): boolean {
    const { end, stage } = call;
    if (!end) return false;
    // No later process begins one that may start.
    const ended = this.#cut(call, { cut: end.cut }, end.mayFail && stage !== "granted");
    ended.catch(() => end.resolve(ended));
    return true;
  }

  /** Ends a call in this process without a word. */
  remove(call: Call, isEnded = true): void {
    if (move(call, "ended", this.queue)) call.end?.resolve(isEnded);
  }

  /** Finishes a call whose end is stored. */
  finish(call: Call, settlement: Settlement): void {
    this.remove(call);
    this.handlers?.end(call, settlement);
  }

  /** The flow or a person knows of an end: until then, a later process may have to say it. */
  forget(call: Call): void {
    this.store.forget(call.entry);
  }

  /** Reports an end of an earlier process. */
  report(entry: Entry, settlement: Settlement): void {
    this.handlers?.end(new Call(undefined, entry, true), settlement);
  }

  /** Ends calls of which none begins after this was called, but the process answers while their ends are stored. */
  async #cutInSteps(cut: Cut, calls: readonly Call[], mayFail: boolean): Promise<number> {
    const waiting: Call[] = [];
    const ends: Promise<boolean>[] = [];
    const add = (end: Promise<boolean>) => {
      // A rejection before the last one is stored is handled below.
      end.catch(() => {});
      ends.push(end);
    };
    for (const call of calls) {
      if (!call.isAtRest) add(this.cut(call, cut, mayFail));
      else if (move(call, "ending", this.queue)) waiting.push(call);
    }
    for (const [n, call] of waiting.entries()) {
      if (n > 0 && n % MOST_STORING === 0) await Promise.allSettled(ends);
      else if (n > 0 && n % STORED_AT_ONCE === 0) await new Promise(setImmediate);
      add(this.#writeCut(call, { cut }, mayFail));
    }
    await Promise.allSettled(ends);
    const ended = await Promise.all(ends);
    if (ended.length > 0) this.handlers?.onChange();
    return ended.filter(Boolean).length;
  }

  /** Ends a call as soon as the store has answered. Resolves to whether it ended so. */
  #endLater(call: Call, cut: Cut, mayFail = false): Promise<boolean> {
    if (call.end) return call.end.ended;
    let resolve!: (isEnded: boolean | Promise<boolean>) => void;
    const ended = new Promise<boolean>((done) => (resolve = done));
    call.end = { cut, mayFail, ended, resolve };
    return ended;
  }

  async #cut(call: Call, settlement: Settlement, mayFail = false): Promise<boolean> {
    return move(call, "ending", this.queue) && this.#writeCut(call, settlement, mayFail);
  }

  async #writeCut(call: Call, settlement: Settlement, mayFail: boolean): Promise<boolean> {
    if (await this.#write(call, "not-applied", mayFail)) this.handlers?.end(call, settlement);
    return true;
  }

  async #write(call: Call, outcome: Outcome, mayFail: boolean): Promise<boolean> {
    const error = await this.store.settle(call.entry, outcome, mayFail);
    if (call.stage !== "ending") return false;
    if (mayFail && error) {
      call.end = undefined;
      this.queue.wait(call);
      this.waitsAgain();
      throw error;
    }
    if (call.entry.unknown) this.decisions.keep([call.entry]);
    this.remove(call);
    return true;
  }
}
