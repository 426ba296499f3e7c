import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Ends } from "./ends";
import type { Entry, Outcome, Settlement } from "./entry";
import type { Queue, Step } from "./queue";
import type { StartClock } from "./start-clock";
import { ACCEPTED, AGAIN_MS, isShared, LEAD_MS, type Leave, type SharedStore, type Store } from "./store";
import type { Service } from "./trouble/service";
import type { Conditions } from "./trouble/trials";
import type { Turn, TurnOwner } from "./turn";

/** Turns whose date has come, without letting the process do anything else. */
const DUE_AT_ONCE = 500;
/** A lease that has run out is renewed, or lost, within a moment. Milliseconds. */
const LEASE_PAUSE_MS = 200;
/** Another instance probes so long after the end of a probe that was not told. Milliseconds. */
const PROBE_SPARE_MS = 5000;

/** Carries out what the queue decides: begins turns, each with the permission of the store. */
export class Loop implements TurnOwner {
  isStopped = false;
  /** Called before each run with a clock that may not be right yet. */
  onClock: (clock: StartClock) => void = () => {};
  readonly #shared: SharedStore | undefined;
  readonly #leadMs: number;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  /** The place of the last turn that has come. */
  #last = 0;

  constructor(
    private readonly store: Store,
    private readonly queue: Queue,
    private readonly ends: Ends,
    private readonly service: Service,
  ) {
    this.#shared = isShared(store) ? store : undefined;
    this.#leadMs = store.isDurable ? LEAD_MS : 0;
  }

  /** Whether starts are open, for entries that do not begin at any time. */
  get isOpen(): boolean {
    return this.ends.handlers?.isOpen() ?? true;
  }

  /** Epoch milliseconds on the store's clock. */
  now(): number {
    return this.#shared?.now() ?? Date.now();
  }

  acquireSendSlot(turn: Turn, isRepeated: boolean): number | undefined {
    const now = performance.now();
    if (this.#shared?.holdsLease() === false) return now + LEASE_PAUSE_MS;
    const until = this.queue.pacer.acquireSendSlot(now, turn);
    if (until === undefined && isRepeated) void this.#shared?.countStart();
    return until;
  }

  nextPlace(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Resolves when nothing is beginning any more. */
  async idle(): Promise<void> {
    if (this.queue.beginning > 0)
      await new Promise<void>((resolve) => {
        this.queue.onNoneBeginning = resolve;
      });
  }

  start(): void {
    this.queue.trials.patience = this.ends.handlers?.patience;
    this.isStopped = false;
  }

  /** Begins nothing more. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.#timer);
    for (const turn of this.queue.filter(({ state }) => state === "starting")) this.requeue(turn);
  }

  /** Something has changed: does all that is to be done now. Not reentrant, because entries may end as they begin. */
  run(): void {
    if (this.#isRunning || this.isStopped || !this.ends.handlers) return;
    this.#isRunning = true;
    let step: Step | undefined;
    try {
      if (this.queue.clock) this.onClock(this.queue.clock);
      let due = 0;
      for (step = this.#next(); step.kind !== "wait" && due < DUE_AT_ONCE; step = this.#next()) {
        if (!("turn" in step)) {
          this.#handle(step);
          continue;
        }
        const { kind, turn } = step;
        this.queue.take(turn);
        if (kind === "due") due += 1;
        if (kind === "due") void this.#due(turn);
        else if (kind === "expired") void this.ends.cut(turn, "expired");
        else this.ask(turn)(true);
      }
    } finally {
      this.#isRunning = false;
    }
    this.#plan(step);
  }

  /** Whether an entry that has just come can begin at once. */
  canBegin(entry: Entry): boolean {
    return !this.isStopped && !this.#isRunning && this.queue.canBegin(entry, this.#conditions);
  }

  /** Asks the store whether a turn may start. Returns what to call once it is known whether the turn is accepted. */
  ask(turn: Turn): (isAccepted: boolean) => void {
    const at = this.queue.pacer.plan(performance.now());
    this.queue.to(turn, "beginning");
    this.queue.trials.begin(turn);
    const asked = this.store.begin(turn.entry, this.queue.trials.hold(turn.isPatient));
    const granted = (leave: Leave) => {
      if (turn.state === "beginning") this.#granted(turn, leave, at);
    };
    return (isAccepted) => {
      if (isAccepted) void asked.then(granted);
      else this.queue.pacer.giveBack(at);
    };
  }

  settle(turn: Turn, outcome: Outcome, settlement: Settlement): void {
    void this.ends.settle(turn, outcome, settlement);
  }

  requeue(turn: Turn): void {
    if (turn.state !== "begun" && turn.state !== "starting") return;
    this.queue.pacer.stopped(turn);
    this.queue.to(turn, "beginning");
    const isRefused = turn.retryAt > Number.NEGATIVE_INFINITY;
    if (isRefused) turn.place = this.nextPlace();
    void this.store.requeue(turn.entry, isRefused).then(() => this.#waitAgain(turn));
  }

  get #conditions(): Conditions {
    return {
      now: performance.now(),
      date: this.now(),
      steady: this.service.now(),
      fineAt: this.service.fineAt,
      leadMs: this.#leadMs,
      places: this.ends.handlers?.places() ?? 0,
      isOpen: this.isOpen,
    };
  }

  #next(): Step {
    return this.queue.next(this.#conditions);
  }

  #handle({ kind, isUrgent }: Exclude<Step, { turn: Turn } | { kind: "wait" }>): void {
    if (kind === "hurry") void this.service.observe({ kind });
    else if (kind === "over") void this.service.observe({ kind, isUrgent });
    else if (kind === "probe") void this.#probe();
    else {
      const late = new Map(this.queue.sweep(this.#conditions));
      for (const cut of new Set(late.values())) void this.ends.cutAll(cut, (turn) => late.get(turn) === cut);
    }
  }

  /** One instance of a group probes at a time. */
  async #probe(): Promise<void> {
    const { patience } = this.queue.trials;
    if (!patience) return;
    const probe = randomUUID();
    const mayProbe = await this.service.observe({ kind: "probing", probe, forMs: patience.probeMs + PROBE_SPARE_MS });
    if (!mayProbe || this.service.trouble.probe !== probe || this.isStopped) return;
    await this.service.observe({ kind: "probed", probe, ...(await patience.probe()) });
  }

  /** Runs again when the next step is due. */
  #plan(step = this.#next()): void {
    clearTimeout(this.#timer);
    if (this.isStopped || !this.ends.handlers) return;
    const ms = step.kind === "wait" ? step.ms : 0;
    if (ms !== undefined) this.#timer = setTimeout(() => this.run(), ms);
  }

  #granted(turn: Turn, leave: Leave, at: number): void {
    if (leave === "begun") this.#startAt(turn, at);
    else if ("startInMs" in leave) this.#startAt(turn, Math.max(at, performance.now() + leave.startInMs));
    else {
      this.queue.pacer.giveBack(at);
      if ("gone" in leave) {
        this.ends.finish(turn, { cut: leave.gone });
        this.run();
      } else {
        if ("tryInMs" in leave) this.queue.trials.retryAt = performance.now() + leave.tryInMs;
        else this.queue.retryAt = performance.now() + leave.retryInMs;
        this.#waitAgain(turn);
      }
    }
  }

  #startAt(turn: Turn, at: number): void {
    if (turn.state !== "beginning" && turn.state !== "starting") return;
    this.queue.to(turn, "starting");
    const wait = at - performance.now();
    if (this.ends.endIfAsked(turn)) return;
    if (this.isStopped) this.requeue(turn);
    else if (wait > 0) setTimeout(() => this.#startAt(turn, at), Math.ceil(wait));
    // A request that does not go through the backlog has taken the place meanwhile, or trouble has begun.
    else if (this.ends.handlers && (this.ends.handlers.places() < 1 || !this.queue.trials.mayStart(turn))) {
      this.queue.pacer.giveBack(at);
      this.requeue(turn);
    } else {
      this.queue.pacer.started(performance.now(), turn);
      this.queue.to(turn, "begun");
      this.ends.handlers?.begin(turn);
    }
  }

  #waitAgain(turn: Turn): void {
    if (turn.state !== "beginning") return;
    this.queue.wait(turn);
    this.ends.endIfAsked(turn);
    this.#plan();
  }

  /** The date of a turn has come: it waits behind the others as soon as it has got what it takes then. */
  async #due(turn: Turn): Promise<void> {
    const { entry, sender, state } = turn;
    if (state !== "dated" || this.isStopped) return;
    const keys = this.ends.handlers?.dueKeys?.(entry, sender) ?? [];
    const answer = keys.length > 0 ? await this.store.takeDue(entry, keys) : ACCEPTED;
    if (turn.state !== "dated") return;
    if (answer.kind === "usedUp")
      await this.ends.settle(turn, "not-applied", { cut: "usedUp", retryAfterMs: answer.retryAfterMs });
    else if (answer.kind !== "accepted") setTimeout(() => void this.#due(turn), AGAIN_MS).unref();
    else {
      turn.date = Number.NEGATIVE_INFINITY;
      turn.place = this.nextPlace();
      this.queue.wait(turn);
      this.ends.handlers?.onDue?.(entry, sender);
      this.run();
    }
  }
}
