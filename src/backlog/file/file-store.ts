import { DeduplicationKeys, type Use } from "../deduplication-keys";
import type { Acceptance, Entry, Key, Outcome } from "../entry";
import { MACHINE } from "../start-clock";
import {
  ACCEPTED,
  type Hold,
  type Leave,
  type RequestKeys,
  type RestoredState,
  type Room,
  type Store,
  type StoreEvents,
} from "../store";
import type { Record } from "./contents";
import { Keeper, RETRY_MS } from "./keeper";

/** Room for the lines that follow up an accepted entry, and their copies: held back, begun (twice), ended and forgotten. Bytes. */
const FOLLOW_UP = 768;
/** Room for what becomes of one of its keys, written twice. Bytes. */
const KEY_FOLLOW_UP = 320;
/** Room to hold back a record and to remove it, each written twice, besides its name. Bytes. */
const RECORD_FOLLOW_UP = 256;
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
    keep: (key) => this.keeper.write("fact", { use: this.#keys.keep(key, this.keeper.now()) ?? key.hash }),
  };
  /** Names of records for whose removal there is room. */
  readonly #records = new Set<string>();

  private constructor(
    private readonly keeper: Keeper,
    restored: RestoredState,
  ) {
    this.#restored = restored;
    const { entries, uses, values } = keeper.contents;
    const ofEntries = new Set([...restored.waiting, ...restored.begun].flatMap((entry) => this.#keys.hashesOf(entry)));
    for (const use of uses.values()) this.#keys.restore(use);
    // The outcome of a request that took a key without an entry, and was cut off with the process, is unknown.
    for (const { hash, until } of [...uses.values()])
      if (until === undefined && !ofEntries.has(hash)) this.keys.settle({ hash, forMs: 0 }, "unknown");
    for (const { entry } of entries.values()) keeper.reserve(roomFor(entry));
    for (const name of values.keys()) this.#reserve(name);
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
    // Each key is kept with the use that it has got.
    const entry = given.keys ? { ...given, keys: keysOf(taken.uses) } : given;
    const replaced = earlier && { replaced: earlier.id };
    const record: Record = { accept: entry, ...(uses.length > 0 && { uses }), ...replaced };
    this.keeper.reserve(roomFor(entry));
    const error = await this.keeper.write("new", record, (failed) => {
      if (!failed) return;
      this.keeper.reserve(-roomFor(entry));
      taken.undo();
    });
    return { ...acceptance(error), ...(!error && replaced) };
  }

  async takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance> {
    const taken = this.#keys.takeAll(entry, keys, this.keeper.now());
    if ("kind" in taken) return taken;
    const { uses, undo } = taken;
    this.keeper.reserve(uses.length * KEY_FOLLOW_UP);
    const error = await this.keeper.write("follow-up", { due: entry.id, uses }, (failed) => {
      if (!failed) return;
      this.keeper.reserve(-uses.length * KEY_FOLLOW_UP);
      undo();
    });
    return acceptance(error);
  }

  async begin({ id }: Entry): Promise<Leave> {
    return (await this.keeper.write("follow-up", { begin: id })) ? { retryInMs: RETRY_MS } : "begun";
  }

  async requeue({ id }: Entry): Promise<void> {
    await this.keeper.write("fact", { unbegin: id });
  }

  settle(entry: Entry, outcome: Outcome, mayFail = false): Promise<Error | undefined> {
    const uses = mayFail ? this.#keys.hashesOf(entry) : this.#keys.settleAll(entry, outcome, this.keeper.now());
    const record: Record = { end: entry.id, outcome, ...(uses.length > 0 && { uses }) };
    return this.keeper.write(mayFail ? "follow-up" : "fact", record, (error) => {
      if (mayFail && !error) this.#keys.forgetAll(entry);
    });
  }

  forget({ id }: Entry): void {
    const kept = this.keeper.contents.entries.get(id);
    void this.keeper.write("fact", { forget: id }, (error) => {
      if (!error && kept) this.keeper.reserve(-roomFor(kept.entry));
      this.keeper.forgetWhenIdle();
    });
  }

  async record(name: string, value: unknown): Promise<boolean> {
    if (value === undefined) {
      this.#records.delete(name);
      return new Promise((resolve) => {
        void this.keeper.write("fact", { record: name }, (error) => {
          if (error && !this.keeper.isClosed) return;
          this.keeper.reserve(-roomToRemove(name));
          resolve(true);
          this.keeper.forgetWhenIdle();
        });
      });
    }
    const isNew = this.#reserve(name);
    const error = await this.keeper.write("new", { record: name, value }, (failed) => {
      if (failed && isNew && this.#records.delete(name)) this.keeper.reserve(-roomToRemove(name));
    });
    if (error) throw error;
    return true;
  }

  hold({ paused, isProven, heldBack }: Hold): void {
    const write = (record: Record) => void this.keeper.write("fact", record);
    if (paused !== undefined) write({ paused });
    if (isProven) write({ proven: true });
    if (heldBack === null) write({ release: true });
    const { ids = [], records = [] } = heldBack ?? {};
    for (let from = 0; heldBack && (from === 0 || from < ids.length); from += HELD_AT_ONCE)
      write({ holdBack: ids.slice(from, from + HELD_AT_ONCE), records: from === 0 ? records : [] });
  }

  /** Writes everything again if the path does not name the journal any more. */
  check(): Promise<void> {
    return this.keeper.check();
  }

  close(): Promise<void> {
    return this.keeper.close();
  }

  /** Keeps room to remove a record. Returns whether there was none. */
  #reserve(name: string): boolean {
    if (this.#records.has(name)) return false;
    this.#records.add(name);
    this.keeper.reserve(roomToRemove(name));
    return true;
  }
}

/** Bytes that the journal must not run out of once an entry is accepted. */
function roomFor({ keys = [] }: Entry): number {
  return FOLLOW_UP + keys.length * KEY_FOLLOW_UP;
}

function keysOf(uses: readonly Use[]): Key[] {
  return uses.map(({ hash, forMs }) => ({ hash, forMs }));
}

function roomToRemove(name: string): number {
  return RECORD_FOLLOW_UP + 4 * Buffer.byteLength(JSON.stringify(name));
}

function acceptance(error: Error | undefined): Acceptance {
  return error ? { kind: "failed", reason: error.message } : ACCEPTED;
}
