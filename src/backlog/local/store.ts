import type { Entry, Outcome } from "../backlog";
import type { Use } from "../deduplication-keys";

/** Called once, with the error that kept a change from being stored. */
export type Stored = (error?: Error) => void;

/** What an earlier process left. */
export interface Remains {
  /** Entries that were not begun, in order. */
  readonly waiting: readonly Entry[];
  /** Entries whose run was cut off. */
  readonly begun: readonly Entry[];
  /** Entries that have ended, but perhaps nobody was told. */
  readonly untold: readonly { readonly entry: Entry; readonly outcome: Outcome }[];
  readonly uses: readonly Use[];
  /** By name. */
  readonly records: ReadonlyMap<string, unknown>;
  readonly paused: boolean;
  /** How long nothing ran, milliseconds; `undefined` if that is not known. */
  readonly downMs: number | undefined;
}

/** Where a backlog of one process keeps its entries besides the memory. */
export interface Store {
  readonly isDurable: boolean;
  /** How long before its start an entry is begun, so that storing that does not delay it. Milliseconds. */
  readonly leadMs: number;
  /** Milliseconds on a clock that goes on after a restart and never jumps. */
  now(): number;
  accept(entry: Entry, uses: readonly Use[], stored: Stored): void;
  begin(id: string, stored: Stored): void;
  /** Takes back a `begin`: the run has not begun. */
  unbegin(id: string, stored: Stored): void;
  /** @param uses how its keys are kept, or the hashes that are given back */
  end(id: string, outcome: Outcome, uses: readonly (Use | string)[], stored: Stored): void;
  /** The result of an ended entry was handed on. Need not be stored at once. */
  forget(id: string): void;
  use(use: Use | string, stored: Stored): void;
  /** @param value `undefined` removes the record, and is tried until it is stored */
  record(name: string, value: unknown, stored: Stored): void;
  pause(paused: boolean): void;
  close(): Promise<void>;
}

/** Keeps nothing: what waits ends with the process. */
export const memory: Store = {
  isDurable: false,
  leadMs: 0,
  now: () => performance.now(),
  accept: (_entry, _uses, stored) => stored(),
  begin: (_id, stored) => stored(),
  unbegin: (_id, stored) => stored(),
  end: (_id, _outcome, _uses, stored) => stored(),
  forget: () => {},
  use: (_use, stored) => stored(),
  record: (_name, _value, stored) => stored(),
  pause: () => {},
  close: () => Promise.resolve(),
};
