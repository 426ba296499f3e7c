import type { Cut, Entry } from "./entry";
import type { Heap } from "./heap";

/**
 * The stage of a call. `admitting`: it is checked, before the store is asked to keep it. `accepting`: the store writes it down.
 * `dated`: its date has not come. `heldBack`: until somebody resumes. `queued`: only its turn, or what holds its like, keeps it.
 * `replacing`: another call may take its place. `asking`: the store is asked whether it may begin, or told that it has not.
 * `granted`: it may, in a moment. `begun`: it is performed, and no later process performs it again. `ending`: its end is being
 * stored.
 */
export type Stage =
  | "admitting"
  | "accepting"
  | "dated"
  | "heldBack"
  | "queued"
  | "replacing"
  | "asking"
  | "granted"
  | "begun"
  | "ending"
  | "ended";

/** The stages that may follow each stage, in all lanes. Any other move comes too late, and changes nothing. */
export const FOLLOWS: Readonly<Record<Stage, readonly Stage[]>> = {
  // Past `accepting`: restored, or in a lane without a store, which may be idle.
  admitting: ["accepting", "dated", "heldBack", "queued", "begun", "ended"],
  // `asking`: on an idle lane, both are written down at once.
  accepting: ["asking", "dated", "heldBack", "queued", "ending", "ended"],
  dated: ["heldBack", "queued", "replacing", "ending", "ended"],
  heldBack: ["dated", "queued", "replacing", "ending", "ended"],
  // `begun`: in a lane without a store.
  queued: ["asking", "begun", "heldBack", "replacing", "ending", "ended"],
  replacing: ["dated", "heldBack", "queued", "ending", "ended"],
  asking: ["granted", "heldBack", "queued", "ended"],
  granted: ["asking", "begun", "ending", "ended"],
  begun: ["asking", "ending", "ended"],
  // Back: the end may fail, and could not be stored.
  ending: ["dated", "heldBack", "queued", "ended"],
  ended: [],
};

/** The stages of a call that has not begun, and about which the store was not asked. */
export const AT_REST: ReadonlySet<Stage> = new Set(["dated", "heldBack", "queued"]);
const UNDER_WAY: ReadonlySet<Stage> = new Set(["asking", "granted", "begun"]);
const PAST: ReadonlySet<Stage> = new Set(["begun", "ending", "ended"]);

/** Of a call in a lane without a store, or one that is not accepted yet. */
const NO_ENTRY: Entry = { id: "", nodeId: "", size: 0, content: null };

/** Ends a call as soon as the store has answered. */
export interface LaterEnd {
  readonly cut: Cut;
  readonly mayFail: boolean;
  readonly ended: Promise<boolean>;
  readonly resolve: (isEnded: boolean | Promise<boolean>) => void;
}

/** Instants are on the clock of trouble. */
export interface Refusal {
  readonly count: number;
  readonly firstAt: number;
  /** It does not try again before; `-Infinity` once it may. */
  readonly retryAt: number;
}

/** A request on its way, from its admission to its end. `Owner` gets its result, `Run` performs it: the backlog reads neither. */
export class Call<Owner = unknown, Run = unknown> {
  /** Assigned by `move` alone. */
  readonly stage: Stage = "admitting";
  /** Whether the store has it. */
  isAccepted: boolean;
  /** Set if it is to end once the store has answered. */
  end: LaterEnd | undefined;
  /** While it is admitted or performed. One that waits is nothing but its entry. */
  run: Run | undefined;
  /** 0: urgent; 1: ordinary; 2: a row of a list. Those with a lower number go first. */
  priority: 0 | 1 | 2 = 1;
  /** In the order of all with its priority. That of a dated call counts among those with the same date, until the date has come. */
  order = 0;
  /** The time at which it joins those in the queue, epoch milliseconds; absent from then on. */
  date: number | undefined;
  /** Since when only its turn keeps it, or trouble, milliseconds of `performance.now()`; absent if it was never queued. */
  since: number | undefined;
  /** Set if the service has refused it, so that it waits again. */
  refusal: Refusal | undefined;
  /** The line that keeps it until it ends, and its slot there. */
  heap: Heap<Call> | undefined;
  slot = -1;
  onMove: (() => void) | undefined;

  /**
   * @param owner `undefined` if an earlier process accepted it
   * @param isRestored whether one did
   */
  constructor(
    readonly owner?: Owner,
    public entry: Entry = NO_ENTRY,
    readonly isRestored = false,
  ) {
    this.isAccepted = isRestored;
    if (entry !== NO_ENTRY) this.keep(entry);
  }

  keep(entry: Entry): void {
    this.entry = entry;
    if (entry.urgent) this.priority = 0;
    else if (entry.list !== undefined) this.priority = 2;
    if (!entry.isDue && entry.notBefore !== undefined) this.date = entry.notBefore;
  }

  get isDated(): boolean {
    return this.date !== undefined;
  }

  get retryAt(): number {
    return this.refusal?.retryAt ?? -Infinity;
  }

  /** Whether it goes on with what was there before the start. */
  get isLeft(): boolean {
    return this.isRestored || this.entry.ofRestored === true;
  }

  /** Whether it waits for the end of trouble also where others fail. */
  get isPatient(): boolean {
    return this.isRestored || this.entry.alarm === true || this.entry.list !== undefined;
  }

  get isAtRest(): boolean {
    return AT_REST.has(this.stage);
  }

  get isUnderWay(): boolean {
    return UNDER_WAY.has(this.stage);
  }

  /** Whether it has neither begun nor ended. */
  get isWaiting(): boolean {
    return !PAST.has(this.stage);
  }

  moveTo(heap: Heap<Call> | undefined): void {
    if (heap === this.heap) return;
    this.heap?.remove(this);
    this.heap = heap;
    heap?.add(this);
  }

  moves(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.onMove;
      this.onMove = () => {
        before?.();
        resolve();
      };
    });
  }
}

export interface Watcher {
  /** Learns of each move, after it. Must neither throw nor move. */
  moved(call: Call, from: Stage): void;
}

/** The only way from one stage to the next. Returns whether the call has moved: if not, the event that moves it came too late. */
export function move(call: Call, to: Stage, watcher: Watcher): boolean {
  const from = call.stage;
  if (!FOLLOWS[from].includes(to)) return false;
  (call as { stage: Stage }).stage = to;
  watcher.moved(call, from);
  const { onMove } = call;
  if (onMove) call.onMove = undefined;
  onMove?.();
  return true;
}

/**
 * Returns the area in which people see a call. While the store is asked, it waits only if it was in the queue.
 * @param stage one that it had, or has
 */
export function areaOf(call: Call, stage = call.stage): "dated" | "waiting" | "inFlight" | undefined {
  switch (stage) {
    case "dated":
      return "dated";
    case "replacing":
      return call.isDated ? "dated" : "waiting";
    case "heldBack":
    case "queued":
      return "waiting";
    case "asking":
    case "granted":
      return call.since === undefined ? undefined : "waiting";
    case "begun":
      return "inFlight";
    default:
      return undefined;
  }
}

/** Sorts lower priorities first, each in its order. */
export function byTurn(a: Call, b: Call): number {
  return a.priority - b.priority || a.order - b.order;
}

export function byDate(a: Call, b: Call): number {
  return (a.date ?? 0) - (b.date ?? 0) || a.order - b.order;
}
