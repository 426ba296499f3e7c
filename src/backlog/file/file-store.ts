import { DeduplicationKeys, type Use } from "../deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "../entry";
import { MACHINE } from "../start-clock";
import {
  ACCEPTED,
  AGAIN_MS,
  type Hold,
  type Leave,
  type RequestKeys,
  type RestoredState,
  type Room,
  type Store,
  type StoreEvents,
} from "../store";
import { Keeper } from "./keeper";
import type { Record } from "./record";

/** Ids of entries that are held back, in one line. */
const HELD_AT_ONCE = 1000;

/** Keeps the entries of one process in a journal. */
export class FileStore implements Store {
  readonly isDurable = true;
  #restored: RestoredState | undefined;
  readonly #keys = new DeduplicationKeys();
  readonly keys: RequestKeys = {
    take: async (key) => {
      const use = this.#keys.take(key, this.keeper.now());
      if ("kind" in use) return use;
      const forget = (error?: Error) => error && this.#keys.forget(use.hash);
      return acceptance(await this.keeper.write("follow-up", { use }, forget));
    },
    settle: ({ hash }, outcome) => {
      const use = this.#keys.settle(hash, outcome, this.keeper.now()) ?? hash;
      void this.keeper.write("fact", { use });
    },
    try: async (key) => this.#keys.refusal(key, this.keeper.now()) ?? ACCEPTED,
    free: async () => this.#keys.free(this.keeper.now()),
    keep: (key) => this.keeper.write("fact", { use: this.#keys.keep(key, this.keeper.now()) ?? key.hash }),
  };

  private constructor(
    readonly keeper: Keeper,
    restored: RestoredState,
  ) {
    this.#restored = restored;
    const { uses } = keeper.contents;
    const ofEntries = new Set([...restored.waiting, ...restored.begun].flatMap((entry) => this.#keys.hashesOf(entry)));
    for (const use of uses.values()) this.#keys.restore(use);
    for (const { entry } of keeper.contents.entries.values()) {
      const { uses: own = [] } = entry.unknown ?? {};
      const there = own.map(({ hash, at }) => (uses.get(hash)?.at === at ? uses.get(hash) : undefined) ?? hash);
      if (entry.unknown) this.#keys.restoreUnknown(entry.id, there);
    }
    // The outcome of a request that took a key without an entry, and was cut off with the process, is unknown.
    for (const { hash, until } of [...uses.values()])
      if (until === undefined && !ofEntries.has(hash)) this.keys.settle({ hash, forMs: 0 }, "unknown");
  }

  /**
   * A store, what an earlier process has left in its file, and how many lines cannot be read. Rejects with `LockedError` if
   * another process uses the file, else with the error of the file system.
   * @param onWrittenAnew called when the file was removed, moved or replaced, and has been written again
   * @param machine where it says whether it was started, and whether its clock is right
   */
  static async open(path: string, onWrittenAnew?: () => void, machine = MACHINE) {
    const { keeper, damaged } = await Keeper.open(path, machine, onWrittenAnew);
    const restored = keeper.contents.restored(keeper.stoppedForMs);
    const store = new FileStore(keeper, restored);
    // What is damaged is reported once.
    await keeper.shorten(damaged > 0 || undefined);
    return { store, restored, damaged };
  }

  start(events: StoreEvents): void {
    if (this.#restored) events.onRestored(this.#restored, this.keeper.clock);
    this.#restored = undefined;
    this.keeper.start((reason) => events.onFailure(reason));
  }

  async accept(given: Entry, _room?: Room, earlier?: Entry): Promise<Acceptance> {
    const taken = this.#keys.takeAll(given, given.keys, this.keeper.now(), earlier);
    if ("kind" in taken) return taken;
    const uses = [...taken.given, ...taken.uses];
    // Of a key with several uses, the one that it has got is kept.
    const entry = given.keys?.some((key) => key.uses) ? { ...given, keys: keysOf(taken.uses) } : given;
    const replaced = earlier && { replaced: earlier.id };
    const record: Record = { accept: entry, ...(uses.length > 0 && { uses }), ...replaced };
    const error = await this.keeper.write("new", record, (failed) => failed && taken.undo());
    return { ...acceptance(error), ...(!error && replaced) };
  }

  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const taken = this.#keys.takeAll(entry, keys, this.keeper.now());
    if ("kind" in taken) return taken;
    const due = { due: entry.id, uses: taken.uses };
    return acceptance(await this.keeper.write("follow-up", due, (failed) => failed && taken.undo()));
  }

  async begin({ id }: Entry): Promise<Leave> {
    return (await this.keeper.write("follow-up", { begin: id })) ? { retryInMs: AGAIN_MS } : "begun";
  }

  async requeue({ id }: Entry): Promise<void> {
    await this.keeper.write("fact", { unbegin: id });
  }

  settle(entry: Entry, outcome: Outcome, mayFail = false): Promise<Error | undefined> {
    const decided = mayFail ? this.#keys.decided(entry, outcome) : undefined;
    const uses: readonly (Use | string)[] =
      decided?.uses ?? (mayFail ? this.#keys.hashesOf(entry) : this.#keys.settleAll(entry, outcome, this.keeper.now()));
    const unknown = entry.unknown && { unknown: { ...entry.unknown, uses: takenAt(uses) } };
    const record: Record = { end: entry.id, outcome, ...(uses.length > 0 && { uses }), ...unknown };
    return this.keeper.write(mayFail ? "follow-up" : "fact", record, (error) => {
      if (mayFail && !error) (decided ?? { apply: () => this.#keys.forgetAll(entry) }).apply();
      if (decided) this.keeper.forgetWhenIdle();
    });
  }

  forget({ id }: Entry): void {
    this.keeper.writeSoon({ forget: id }, () => this.keeper.forgetWhenIdle());
  }

  async record(name: string, value: unknown): Promise<boolean> {
    if (value === undefined) {
      return new Promise((resolve) => {
        void this.keeper.write("fact", { record: name }, (error) => {
          if (error && !this.keeper.isClosed) return;
          resolve(true);
          this.keeper.forgetWhenIdle();
        });
      });
    }
    const error = await this.keeper.write("new", { record: name, value });
    if (error) throw error;
    return true;
  }

  hold({ paused, isProven, heldBack, released }: Hold): void {
    const write = (record: Record) => void this.keeper.write("fact", record);
    if (paused !== undefined) write({ paused });
    if (isProven) write({ proven: true });
    if (heldBack === null) write({ release: true });
    const { ids = [], records = [] } = heldBack ?? released ?? {};
    for (let from = 0; (heldBack ?? released) && (from === 0 || from < ids.length); from += HELD_AT_ONCE) {
      const [some, named] = [ids.slice(from, from + HELD_AT_ONCE), from === 0 ? records : []];
      write(heldBack ? { holdBack: some, records: named } : { release: true, ids: some, records: named });
    }
  }

  /** Writes everything again if the path does not name the journal any more. */
  check(): Promise<void> {
    return this.keeper.check();
  }

  close(): Promise<void> {
    return this.keeper.close();
  }
}

function keysOf(uses: readonly Use[]): Key[] {
  return uses.map(({ hash, forMs }) => ({ hash, forMs }));
}

function takenAt(uses: readonly (Use | string)[]) {
  return uses.flatMap((use) => (typeof use === "string" ? [] : [{ hash: use.hash, at: use.at }]));
}

function acceptance(error: Error | undefined): Acceptance {
  return error ? { kind: "failed", reason: error.message } : ACCEPTED;
}
