import type { Acceptance, Cut, Entry, Key, Outcome } from "./entry";
import type { Reason } from "./reasons";
import type { StartClock } from "./start-clock";

export const ACCEPTED: Acceptance = { kind: "accepted" };

/** The time before its start at which a durable store writes down that an entry begins, so that this does not delay it. Milliseconds. */
export const LEAD_MS = 50;

/** The pause before what a store has refused at once is tried again: it must not keep the process busy. Milliseconds. */
export const AGAIN_MS = 1000;

/** Limits that the settings of a tenant give. */
export interface Limits {
  /** Starts per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** Entries that may wait. */
  readonly entries: number;
  /** Bytes of the entries that may wait. */
  readonly bytes: number;
  /** Runs at once, of all instances together where there are several. */
  readonly slots: number;
}

export type Room = Pick<Limits, "entries" | "bytes">;

/**
 * The permission of an entry to start. `begun`: now, and no later process begins it again; `startInMs`: so, but that many
 * milliseconds ahead; `retryInMs`: not yet, ask again after that; `tryInMs`: so, but only those that wait for the service; `gone`:
 * another instance has ended it.
 */
export type Leave =
  | "begun"
  | { readonly startInMs: number }
  | { readonly retryInMs: number }
  | { readonly tryInMs: number }
  | { readonly gone: Cut };

/** Entries that a cancellation has ended, and those that had begun before it. */
export interface Cancelled {
  readonly cancelled: number;
  readonly tooLate: number;
}

/** The result of a decision: `tooLate` if somebody had decided before; both are 0 if there is nothing to decide. */
export interface Decision {
  readonly settled: 0 | 1;
  readonly tooLate: 0 | 1;
}

export interface WaitingEntry {
  readonly entry: Entry;
  readonly waitsFor: Reason;
}

/** Selects waiting entries. */
export interface Which {
  readonly only?: "held-back" | undefined;
}

/** Entries, records and state that an earlier process or another instance has left. */
export interface RestoredState {
  /** Entries that were not begun, in order. */
  readonly waiting: readonly Entry[];
  /** Entries whose run was cut off. */
  readonly begun: readonly Entry[];
  /** Entries that have ended, but perhaps nobody was notified; if there is a `cut`, certainly nobody was. */
  readonly settled: readonly { readonly entry: Entry; readonly outcome: Outcome; readonly cut?: Cut }[];
  /** Entries whose outcome is unknown, which was reported, and ids of those about which somebody has decided. */
  readonly unknown?: readonly Entry[];
  readonly decided?: Iterable<string>;
  /** By name. */
  readonly records: ReadonlyMap<string, unknown>;
  /** Names of records whose next entry was held back before. */
  readonly lateRecords?: Iterable<string>;
  readonly paused?: boolean;
  readonly isProven?: boolean;
  /** The time for which nothing ran, milliseconds; `undefined` if that is not known. */
  readonly stoppedForMs: number | undefined;
}

/** The conditions that keep the entries of a backlog from beginning, as far as they have changed. */
export interface Hold {
  readonly paused?: boolean;
  /** Whether the service has worked once. */
  readonly isProven?: true;
  /** A later process holds back these entries, and the next ones of these records, too, until `null` releases all. */
  readonly heldBack?: Late | null;
  /** Nor are these any more. */
  readonly released?: Late;
}

/** Ids of entries, and names of records. */
interface Late {
  readonly ids: readonly string[];
  readonly records: readonly string[];
}

/** The entries of a backlog, and what holds them. */
export interface Counts {
  /** Entries that wait, of the whole group. */
  readonly waiting: number;
  readonly bytes: number;
  /** Entries that were accepted before the last start, and have not ended. */
  readonly restored: number;
  /** Of those that wait: entries whose date has not come, and those that are held back. */
  readonly dated: number;
  readonly heldBack: number;
  /** The earliest date, epoch milliseconds. */
  readonly nextDate: number | undefined;
  /** Those whose outcome is unknown, until somebody decides: they do not wait. */
  readonly unknown: number;
  readonly paused: boolean;
  /** Epoch milliseconds until which starts are held, or `undefined`. */
  readonly heldUntil: number | undefined;
  /** The code of the trouble that holds, and since when it does, epoch milliseconds; `undefined` if none does. */
  readonly reason: string | undefined;
  readonly reasonSince: number | undefined;
  /** Of those that wait, the ones of this process that are not held back. */
  readonly own: number;
  /** The same, of the whole group. */
  readonly notHeldBack: number;
}

export interface GroupState {
  readonly paused: boolean;
  readonly isProven: boolean;
  /** As `changeTrouble` has written it. */
  readonly trouble: string;
  readonly rate: number;
  /** Counts of all other instances together. */
  readonly others: Pick<Counts, "waiting" | "bytes" | "restored" | "dated" | "heldBack"> &
    Partial<Pick<Counts, "nextDate">>;
}

export interface EntryInMemory {
  readonly entry: Entry;
  readonly state: "waiting" | "heldBack" | "begun";
}

/** Events of a store for its backlog, at any time after `start`. All but the first and the last come from a shared store only. */
export interface StoreEvents {
  /**
   * Reports that this instance has taken over what an earlier process left, or another instance whose lease has run out.
   * @param clock may show that the stop was longer than it seemed
   */
  onRestored(left: RestoredState, clock?: StartClock): void;
  onGroup(state: GroupState): void;
  /** Reports that another instance has ended entries of this one. */
  onSettledElsewhere(ids: readonly string[], cut: Cut): void;
  /** Reports that another instance has released the held-back entries. */
  onReleased(): void;
  /** Reports that an entry whose outcome is unknown was forgotten, because there are too many. */
  onUnknownFull(): void;
  /** The lease of this instance has run out, and another one has restored all that it held. */
  onInherited(): void;
  /** The backlog is to ask again for entries that could not begin. */
  retry(): void;
  /** The entries for a store that has forgotten everything. */
  held(): Iterable<EntryInMemory>;
  onRecordNote(name: string, note: unknown): void;
  /** The store fails, or (`undefined`) works again. */
  onFailure(reason: string | undefined): void;
}

/** The deduplication keys of requests that do not go through the backlog, each of one use. */
export interface RequestKeys {
  take(key: Key): Promise<Acceptance>;
  settle(key: Key, outcome: Outcome): void;
  /** Returns what `take` would answer now. */
  try(key: Key): Promise<Acceptance>;
  /** Returns how many further keys can be taken; `undefined` if the store does not say. */
  free(): Promise<number | undefined>;
  /** Keeps a key as one that was used now, whatever it was before; for 0 ms, gives it back. Resolves when that is stored. */
  keep(key: Key): Promise<unknown>;
}

/**
 * Writes down what a backlog decides, keeps the deduplication keys, and gives leave to begin. No function throws, and no promise
 * rejects but where that is said.
 */
export interface Store {
  /** Whether waiting entries outlive the process: then the contents of entries must be JSON. */
  readonly isDurable: boolean;
  readonly keys: RequestKeys;
  /** Starts the store, once. Restored entries are reported before this returns, or later. */
  start(events: StoreEvents): void;
  /**
   * Takes an entry and its keys, all or nothing.
   * @param room what may wait in the whole group; `undefined` if the entry can begin at once. The backlog has checked its own.
   * @param earlier the entry of this process whose place it takes, which waits, or whose outcome is unknown (`again`): that one ends
   *   with the acceptance, or stays as it is.
   *   A store that several instances share finds it by the keys of an entry that `replaces`, wherever it waits.
   */
  accept(entry: Entry, room?: Room, earlier?: Entry): Promise<Acceptance>;
  /** Takes further keys for an entry whose date has come, all or none. They are settled with it. */
  takeDue(entry: Entry, keys: readonly Key[]): Promise<Acceptance>;
  /**
   * Begins an entry, perhaps before `accept` has resolved; if the entry is refused, the answer is ignored.
   * @param waits it begins only as the trouble of the group allows
   */
  begin(entry: Entry, waits: boolean): Promise<Leave>;
  /** Takes back a `begin`: nothing was done. `isRefused`: it goes behind its like. */
  requeue(entry: Entry, isRefused: boolean): Promise<void>;
  /**
   * The entry has ended, whether it had begun or not: its slot is free, its keys are kept or given back. If it is `unknown`, it
   * stays until it is settled once more, without that: of the uses of its keys, those that are still its own are kept or given back
   * then. A store that cannot write that down does it as soon as it can.
   * @param mayFail if it cannot, the entry has not ended: resolves to the error
   */
  settle(entry: Entry, outcome: Outcome, mayFail?: boolean): Promise<Error | undefined>;
  /** The end was reported. Need not be stored at once. */
  forget(entry: Entry): void;
  /**
   * Writes a record. Resolves to whether it was written. Rejects if the store fails, but a removal is tried until it is stored.
   * @param value `undefined` removes the record
   * @param expected `new`: no process has a record of that name; `mine`: this one still has it
   */
  record(name: string, value: unknown, expected: "new" | "mine"): Promise<boolean>;
  hold(changed: Hold): void;
  close(): Promise<void>;
}

/** The additions of a store that several processes use at the same time. Promises reject if the store fails. */
export interface SharedStore extends Store {
  /** The membership of this instance. */
  readonly lease: {
    /** Whether no other instance can have restored what this one holds. Without the lease, nothing leaves. */
    readonly isHeld: boolean;
    /** The time on the clock that the group shares, epoch milliseconds. */
    now(): number;
    /** The milliseconds on a clock that the group shares and that never jumps. */
    steady(): number;
  };
  /** Sets the limits, at each deploy. */
  setLimits(limits: Limits): void;
  /** A repeated attempt leaves now, and counts towards the rate of the group. */
  countStart(): unknown;
  /** Replaces the trouble of the group, unless another instance was quicker. Resolves to what is there then. */
  changeTrouble(known: string, next: string): Promise<string>;
  /** Notifies another process that has the record, at least once. Resolves to whether there is one; for AGAIN, that is held back. */
  note(name: string, note: unknown): Promise<boolean>;
  /** The waiting entries of the whole group, in the order in which they will begin. */
  list(offset: number, limit: number): Promise<readonly WaitingEntry[]>;
  /** Ends the entries that wait at other instances. Resolves to how many. */
  dropOthers(only: Which["only"]): Promise<number>;
  /** The entries of the group whose outcome is unknown, until somebody decides. */
  readonly unknown: {
    /** Their number, as this instance knows it. */
    readonly size: number;
    /** Lists them, the oldest first. */
    list(): Promise<readonly Entry[]>;
    /** Decides about one of them; `undefined`: only returns whether somebody has. */
    decide(id: string, as: "rang" | "did-not-ring" | undefined): Promise<Decision>;
  };
  /** Ends the entries of this name that wait at other instances (`cancelled`). */
  cancelOthers(name: string): Promise<Cancelled>;
}

/** Returns the store if several processes use it. */
export function sharedOf(store: Store): SharedStore | undefined {
  return "lease" in store ? (store as SharedStore) : undefined;
}
