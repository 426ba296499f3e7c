import type { Cut, Entry, Outcome, Settlement } from "./entry";
import type { Heap } from "./heap";

/**
 * `accepting`: being written down, with its turn to come. `dated`: its date has not come. `heldBack`: until somebody resumes.
 * `replacing`: another entry may take its place. `beginning`: the store was asked whether it may start. `starting`: it may, in a
 * moment. `begun`: it is performed, and no later process performs it again. `settled`: it has ended.
 */
export type TurnState =
  | "accepting"
  | "dated"
  | "heldBack"
  | "waiting"
  | "replacing"
  | "beginning"
  | "starting"
  | "begun"
  | "settled";

/** The states of a turn that has not begun, and about which the store was not asked. */
const AT_REST: ReadonlySet<TurnState> = new Set(["dated", "heldBack", "waiting"]);

/** The states of a turn from the question whether it may start until its end. */
export const UNDER_WAY: ReadonlySet<TurnState | undefined> = new Set(["beginning", "starting", "begun"]);

/** What a turn needs of its backlog. */
export interface TurnOwner {
  /** Epoch milliseconds on the store's clock. */
  now(): number;
  acquireSendSlot(turn: Turn, isRepeated: boolean): number | undefined;
  requeue(turn: Turn): void;
  settle(turn: Turn, outcome: Outcome, settlement: Settlement): unknown;
}

/** An entry and its state in the backlog. Its performer gets it with `begin`. */
export class Turn {
  state: TurnState = "accepting";
  isAccepted = false;
  /** How often the service has refused it, so that it waits again; since when, on the clock of trouble. */
  refusals = 0;
  refusedAt = Infinity;
  /** It was refused, and does not try again before, on that clock. */
  retryAt = -Infinity;
  /** Since when only its turn keeps it, or trouble, milliseconds of `performance.now()`. */
  since = 0;
  /** When it joins those that wait, epoch milliseconds; `-Infinity` from then on. */
  date: number;
  /** Where the queue keeps it until it is removed, and its slot there. */
  heap: Heap<Turn> | undefined;
  slot = -1;
  /** Called with the next change of its state. */
  onChange: (() => void) | undefined;
  /** Set if it is to end as soon as the store has answered. */
  ending:
    | {
        readonly cut: Cut;
        readonly mayFail: boolean;
        readonly resolve: (isEnded: boolean | Promise<boolean>) => void;
      }
    | undefined;
  /** Whether it has ended so. */
  #ended: Promise<boolean> | undefined;

  constructor(
    private readonly owner: TurnOwner,
    readonly entry: Entry,
    /** In the order of all turns. That of a dated one counts among those with the same date, until the date has come. */
    public place: number,
    /** Notified of its end; `undefined` if an earlier process accepted it. */
    public sender: unknown,
    /** Whether an earlier process accepted it. */
    readonly isRestored: boolean,
  ) {
    this.isAccepted = isRestored;
    this.date = entry.isDue ? Number.NEGATIVE_INFINITY : (entry.notBefore ?? Number.NEGATIVE_INFINITY);
  }

  get isDated(): boolean {
    return this.date > Number.NEGATIVE_INFINITY;
  }

  /** Whether it goes on with what was there before the start. */
  get isLeft(): boolean {
    return this.isRestored || this.entry.ofRestored === true;
  }

  /** It waits for the end of trouble also where others fail. */
  get isPatient(): boolean {
    return this.isRestored || this.entry.alarm === true;
  }

  get isAtRest(): boolean {
    return AT_REST.has(this.state);
  }

  moveTo(heap: Heap<Turn> | undefined): void {
    if (heap === this.heap) return;
    this.heap?.remove(this);
    this.heap = heap;
    heap?.add(this);
  }

  /** Epoch milliseconds on the store's clock. */
  now(): number {
    return this.owner.now();
  }

  /** Resolves when its state has changed. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.onChange;
      this.onChange = () => {
        before?.();
        resolve();
      };
    });
  }

  /** Ends it as soon as the store has answered. Resolves to whether it ended so. */
  endLater(cut: Cut, mayFail = false): Promise<boolean> {
    if (!this.ending)
      this.#ended = new Promise((resolve) => {
        this.ending = { cut, mayFail, resolve };
      });
    return this.#ended as Promise<boolean>;
  }

  /**
   * Call right before the first byte: connecting takes a varying time, so starts that were spaced may bunch up.
   * @param isRepeated an earlier attempt had the start that was planned: this one counts as a further one
   * @returns when to ask again, milliseconds of `performance.now()`, or `undefined`: it leaves now
   */
  acquireSendSlot(isRepeated = false): number | undefined {
    return this.owner.acquireSendSlot(this, isRepeated);
  }

  /** It may not leave now: it waits again, in front of the others, or behind them if it was refused. */
  requeue(): void {
    this.owner.requeue(this);
  }

  /** Ends the entry. Its keys are given back unless the outcome is `applied` or `unknown`. */
  settle(outcome: Outcome, result: unknown): void {
    this.owner.settle(this, outcome, { result });
  }
}
