import {
  asUnknown,
  Backlog,
  type Call,
  type Entry,
  type Key,
  type Limits,
  type Outcome,
  type Patience,
  type Settlement,
} from "../../../src/backlog";
import { MemoryStore } from "../../../src/backlog/memory";
import type { RestoredState, Store } from "../../../src/backlog/store";

const NO_LIMITS: Limits = { rate: 0, entries: 1000, bytes: 2 ** 28, slots: 1000 };

export const NOTHING: RestoredState = { waiting: [], begun: [], settled: [], records: new Map(), stoppedForMs: 0 };

/** Opens stores of one engine. */
export interface Engine {
  /** A store with nothing in it. */
  open(): Promise<Store>;
  /** `null`: nothing is written, so nothing outlives a process, and no write fails. */
  readonly durable: Durable | null;
}

/** The means of a durable engine for the last store that it has opened. */
interface Durable {
  /** Opens the store of the next process, after the last one has closed it or was killed. */
  reopen(): Promise<Store>;
  /** Ends its process as SIGKILL does: what it does from now on is of no effect. */
  kill(): Promise<void>;
  /** Makes its writes fail. Resolves to what ends that. */
  fail(): Promise<() => void>;
}

/** A store that is otherwise as the one in memory. */
export function storeWith(more: Partial<Store>): Store {
  return Object.assign(new MemoryStore(), more) as Store;
}

/** A store with something that an earlier process left. */
export function restoring(left: Partial<RestoredState>, more: Partial<Store> = {}): Store {
  return storeWith({ start: (events) => events.onRestored({ ...NOTHING, ...left }), ...more });
}

/** A call that has begun. */
export interface Run extends Pick<Call, "entry" | "isPatient"> {
  settle(outcome: Outcome, result: unknown): void;
  requeue(): void;
  acquireSendSlot(isRepeated?: boolean): number | undefined;
}

/** A backlog whose runs end when the test says so. */
export class Stage {
  readonly backlog: Backlog;
  readonly runs: Run[] = [];
  /** Ids of all that have begun. */
  readonly begun: string[] = [];
  readonly ends: [id: string, settlement: Settlement | { readonly result: unknown }][] = [];
  readonly inherited: string[] = [];
  /** The events of records. */
  readonly notes: unknown[][] = [];
  readonly failures: (string | undefined)[] = [];
  /** Epoch milliseconds, of each that has begun. */
  readonly begunAt: number[] = [];
  /** Of which each entry takes a use at its date. */
  dueKeys: readonly Key[] = [];
  isOpen = true;
  wasOpen: (entry: Entry, until: number) => boolean | undefined = () => true;
  slots = Number.POSITIVE_INFINITY;
  waitingElsewhere = { waiting: 0, bytes: 0 };
  readonly gone = new Set<string>();
  /** The number of times that one whose outcome is unknown was forgotten. */
  unknownFull = 0;
  patience: Patience | undefined;
  #limits: Partial<Limits> = {};
  readonly restored = {
    isDeleted: ({ nodeId }: Pick<Entry, "nodeId">) => this.gone.has(nodeId),
    onRecordRestored: (name: string, value: unknown) => void this.notes.push(["restored", name, value]),
    onRecordNote: (name: string, note: unknown) => void this.notes.push(["note", name, note]),
  };
  #next = 0;

  /** @param limits `null`: it is not served yet */
  constructor(
    readonly store: Store = new MemoryStore(),
    limits: Partial<Limits> | null = {},
  ) {
    this.backlog = new Backlog(store);
    if (limits) this.serve(limits);
  }

  /** Lets entries wait for the service: all, or only those of alarms and restored ones. The test gives its answers to probes. */
  waitsForService(more: Partial<Patience> = {}): void {
    const probe = async () => ({ isAnswered: true });
    this.patience = { isForAll: true, atMostMs: 0, probeMs: 1000, probe, ...more };
    this.serve(this.#limits);
  }

  serve(limits: Partial<Limits> = {}): void {
    this.#limits = limits;
    this.backlog.serve(
      {
        restored: this.restored,
        patience: this.patience,
        slots: () => this.slots,
        isOpen: () => this.isOpen,
        wasOpen: (entry, until) => this.wasOpen(entry, until),
        others: () => this.waitingElsewhere,
        dueKeys: () => this.dueKeys,
        begin: (call) => {
          this.begunAt.push(Date.now());
          this.slots -= 1;
          this.runs.push(this.#runOf(call));
          this.begun.push(call.entry.id);
        },
        end: (call, settlement) => {
          if ("inherited" in settlement) this.inherited.push(call.entry.id);
          else this.#ended(call, settlement);
        },
        moved: () => {},
        onChange: () => {},
        onUnknownFull: () => {
          this.unknownFull += 1;
        },
        onFailure: (reason) => void this.failures.push(reason),
      },
      { ...NO_LIMITS, ...limits },
    );
  }

  #runOf(call: Call): Run {
    const { backlog } = this;
    return Object.assign(call, {
      settle: (outcome: Outcome, result: unknown) =>
        void backlog.ends
          .settle(call, outcome, this.#keptOf(call, outcome))
          .then((isOwn) => isOwn && this.#ended(call, { result })),
      requeue: () => backlog.loop.requeue(call),
      acquireSendSlot: (isRepeated?: boolean) => backlog.loop.acquireSendSlot(call, isRepeated === true),
    });
  }

  #keptOf({ entry }: Call, outcome: Outcome): Entry | undefined {
    return outcome === "unknown" ? asUnknown(entry, { at: this.backlog.loop.now(), code: "ERR_TIMEOUT" }) : undefined;
  }

  #ended(call: Call, settlement: Stage["ends"][number][1]): void {
    this.ends.push([call.entry.id, settlement]);
    this.backlog.ends.forget(call);
  }

  /** Accepts an entry. Ids that are not given count from 1. */
  async accept(first: string | Partial<Entry> = {}, more: Partial<Entry> = {}): ReturnType<Backlog["accept"]> {
    this.#next += 1;
    const given = typeof first === "string" ? { id: first, ...more } : first;
    return this.backlog.accept({ id: String(this.#next), nodeId: "a", size: 1, content: "1", ...given });
  }

  /** Ends what waits for a node that was deleted, and comes back. */
  dropDeleted(nodeId: string): Promise<number> {
    this.gone.add(nodeId);
    const dropped = this.backlog.ends.dropDeleted();
    this.gone.delete(nodeId);
    return dropped;
  }

  /** Ids of the ended entries. */
  get ended(): readonly string[] {
    return this.ends.map(([id]) => id);
  }
}
