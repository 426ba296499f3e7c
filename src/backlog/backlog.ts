/** What is known of a request: `unknown` means that it may have been applied, and must not be repeated blindly. */
export type Outcome = "applied" | "rejected" | "not-applied" | "unknown";

/** A deduplication key, as a hash: what a flow takes for a key may be long, and may be personal. */
export interface Key {
  readonly hash: string;
  /** Milliseconds for which the key stays taken after its use. */
  readonly forMs: number;
  /** How many uses may hold the key at once. Default: 1. */
  readonly uses?: number;
}

/** What waits: plain JSON, so that it can be stored and performed elsewhere. */
export interface Entry {
  /** Random. A message's own id would not do, because copies of a message share it. */
  readonly id: string;
  readonly nodeId: string;
  /** All are taken with its acceptance, or none. */
  readonly keys?: readonly Key[];
  /** It also begins while starts are closed. */
  readonly anytime?: true;
  /** The entry does not start after this instant, epoch milliseconds. */
  readonly notAfter?: number;
  /** Bytes that the entry occupies while it waits. */
  readonly size: number;
  /** The request, and what is needed to deliver its result. Opaque to the backlog. */
  readonly content: unknown;
}

/** The first use of a key, as ERR_DUPLICATE reports it. */
export interface FirstUse {
  /** ISO 8601. */
  readonly at: string;
  readonly outcome: Outcome | "pending";
}

/** Whether an entry was accepted. It is neither accepted nor kept otherwise. */
export type Acceptance =
  | { readonly kind: "accepted" | "full" | "keysFull" }
  | { readonly kind: "duplicate"; readonly first: FirstUse }
  /** All uses of a key that has several are taken: when one of them expires, milliseconds from now. */
  | { readonly kind: "usedUp"; readonly retryAfterMs: number }
  /** The store does not take it. */
  | { readonly kind: "trouble"; readonly reason: string };

/**
 * Why an entry ended without a result: its run was cut off by the end of the process (`lost`), or it was never begun, because
 * it was dropped, its time had passed, or its target was given up.
 */
export type Cut = "lost" | "dropped" | "expired" | "givenUp";

/** How an entry ended. */
export type End =
  | { readonly result: unknown }
  | { readonly cut: Cut }
  /** Its outcome is known, but the process ended while the result was handed on. */
  | { readonly untold: Outcome };

/** The work on one entry. Its claim is stored: no later process performs it again. */
export interface Run {
  readonly entry: Entry;
  /**
   * Plans a repeated attempt that keeps the rate. Instants are milliseconds of `performance.now()`.
   * @returns when the attempt may start, or `undefined` if there is no start before `latest`
   */
  again(earliest: number, latest: number): number | undefined;
  /**
   * Asks for leave in the moment in which the request would leave, because connecting takes its time: two that begin apart
   * could leave together.
   * @returns the instant from which on to ask again, milliseconds of `performance.now()`, or `undefined`: it leaves now
   */
  leave(): number | undefined;
  /** Takes the run back, because it may not leave now: the entry waits again, in front of the others. */
  putBack(): void;
  /** Ends the entry. Its keys are given back unless the outcome is `applied` or `unknown`. */
  settle(outcome: Outcome, result: unknown): void;
}

/**
 * Work that goes on over many entries, as JSON under a name. With a durable backlog it outlives the process; with a shared
 * one, it goes to another process when its own is gone.
 */
export interface Records {
  /** Resolves to whether there was no record of that name, in any process. Rejects if the store fails. */
  create(name: string, value: unknown): Promise<boolean>;
  /** Resolves to whether this process still has the record. Rejects if the store fails: then it may hold either value. */
  update(name: string, value: unknown): Promise<boolean>;
  /** Never rejects: if the store fails, it is told again. */
  remove(name: string): Promise<void>;
  /**
   * Tells something to the process that has the record, in order and at least once: another process that takes over may hear
   * again what its predecessor has heard. Resolves to whether there is one. Rejects if the store fails.
   */
  note(name: string, note: unknown): Promise<boolean>;
}

/** What a backlog tells those whom it serves. */
export interface Handlers {
  /** How many runs may begin now. If there are more later, call `look`. */
  places(): number;
  /** What waits elsewhere, and counts against the limits of entries and bytes. */
  others(): Pick<Counts, "waiting" | "bytes">;
  begin(run: Run): void;
  /** Whether starts are open, for entries that do not begin at any time. If that changes, call `look`. Default: they are. */
  isOpen?(): boolean;
  /** A record that an earlier process left is this one's now. */
  adopted?(name: string, value: unknown): void;
  /** Something was told about a record of this process. */
  noted?(name: string, note: unknown): void;
  /** Whether a node is still there. What it had waiting before the last start is dropped otherwise. Default: it is. */
  wants?(nodeId: string): boolean;
  /** An entry has ended. `restored`: it was accepted before the last start. */
  ended(entry: Entry, end: End, restored: boolean): void;
  /** Another process has inherited what this one had accepted, and is told how it ends. */
  inherited?(entry: Entry): void;
  /** The counts have changed. */
  changed(): void;
  /** The store fails, or works again. */
  trouble(reason: string | undefined): void;
}

/** Limits that the settings of a tenant give. */
export interface Limits {
  /** Starts per second, evenly spaced; 0 = no limit. */
  readonly rate: number;
  /** Entries that may wait. */
  readonly entries: number;
  /** Bytes of the entries that may wait. */
  readonly bytes: number;
  /** Runs at once, of all instances together where there are several. */
  readonly places: number;
}

export interface Counts {
  readonly waiting: number;
  /** Bytes of the entries that wait here. */
  readonly bytes: number;
  /** Entries that were accepted before the last start, and have not ended. */
  readonly restored: number;
  readonly paused: boolean;
  /** Epoch milliseconds until which starts are held, or `undefined`. */
  readonly heldUntil: number | undefined;
}

/** Keeps call-outs until they are performed, each at most once. */
export interface Backlog {
  /** Whether what waits outlives the process: then the contents of entries must be JSON. */
  readonly isDurable: boolean;
  /** Whether other processes may perform what this one accepts: then results must be JSON, too. */
  readonly isShared: boolean;
  readonly counts: Counts;
  /** Serves these handlers from now on, instead of earlier ones. */
  serve(handlers: Handlers, limits: Limits): void;
  /** Never rejects. */
  accept(entry: Entry): Promise<Acceptance>;
  /** A place has become free. */
  look(): void;
  pause(): void;
  /** Ends a pause and a hold. */
  resume(): void;
  /** Starts nothing until then, epoch milliseconds; `undefined` ends the hold, but no pause. */
  hold(until: number | undefined): void;
  /** Ends waiting entries, of one node or of all. Returns how many. */
  drop(nodeId?: string): Promise<number>;
  /** Ends one waiting entry. Resolves to whether it was waiting. Never rejects: if the store fails, it is told again. */
  withdraw(id: string): Promise<boolean>;
  /** Ends what this process has accepted and not begun, because its target is given up. Returns how many. */
  giveUp(): Promise<number>;
  /** Takes a key, of one use, for a request that does not go through the backlog. */
  takeKey(key: Key): Promise<Acceptance>;
  settleKey(key: Key, outcome: Outcome): void;
  /** What `takeKey` would say now, without taking the key. */
  tryKey(key: Key): Promise<Acceptance>;
  readonly records: Records;
  /** Begins nothing more. What has begun may still be settled. */
  rest(): void;
  /** Releases what it holds of the machine. Call `rest` first, and settle what has begun. */
  close(): Promise<void>;
}
