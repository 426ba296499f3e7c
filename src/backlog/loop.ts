import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { type Call, move } from "./call";
import type { Ends } from "./ends";
import type { Cut } from "./entry";
import type { Queue, Step } from "./queue";
import type { StartClock } from "./start-clock";
import { ACCEPTED, AGAIN_MS, LEAD_MS, type Leave, type SharedStore, type Store, sharedOf } from "./store";
import type { Service } from "./trouble/service";
import type { Conditions } from "./trouble/trials";

/** Calls whose date has come, without letting the process do anything else. */
const DUE_AT_ONCE = 500;
/** A lease that has run out is renewed, or lost, within a moment. Milliseconds. */
const LEASE_PAUSE_MS = 200;
/** The number of lists that can be told apart in one round of their turns. */
const APART = 2 ** 20;
/** Another instance probes so long after the end of a probe that was not told. Milliseconds. */
const PROBE_SPARE_MS = 5000;

/** Carries out what the queue decides: begins calls, each with the permission of the store. */
export class Loop {
  isStopped = false;
  /** Reports a clock that may not be right yet, before each run. */
  onClock: (clock: StartClock) => void = () => {};
  readonly #shared: SharedStore | undefined;
  readonly #leadMs: number;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;
  /** The order of the last call that has come. */
  #last = 0;
  /** The order of the last row of each list, and the highest of those that have begun. */
  readonly #rows = new Map<string, number>();
  #begunRow = 0;

  constructor(
    private readonly store: Store,
    private readonly queue: Queue,
    private readonly ends: Ends,
    private readonly service: Service,
  ) {
    this.#shared = sharedOf(store);
    this.#leadMs = store.isDurable ? LEAD_MS : 0;
  }

  get isOpen(): boolean {
    return this.ends.handlers?.isOpen() ?? true;
  }

  /** The time on the store's clock, epoch milliseconds. */
  now(): number {
    return this.#shared?.lease.now() ?? Date.now();
  }

  /**
   * Takes a slot right before the first byte: connecting takes a varying time, so starts that were spaced may bunch up.
   * @param isRepeated an earlier attempt had the start that was planned: this one counts as a further one
   * @returns when to ask again, milliseconds of `performance.now()`, or `undefined`: it leaves now
   */
  acquireSendSlot(call: Call, isRepeated: boolean): number | undefined {
    const now = performance.now();
    if (this.#shared?.lease.isHeld === false) return now + LEASE_PAUSE_MS;
    const until = this.queue.pacer.acquireSendSlot(now, call);
    if (until === undefined && isRepeated) void this.#shared?.countStart();
    return until;
  }

  nextOrder(): number {
    this.#last += 1;
    return this.#last;
  }

  /**
   * Lists take turns, one row each, so that one that comes later neither waits for all of an earlier one nor goes before it for ever.
   * Returns the order of the next row of a list; without one, of a row that goes behind all others.
   */
  nextRow(list?: string): number {
    const rows = this.#rows;
    for (const [each, order] of rows) if (order <= this.#begunRow) rows.delete(each);
    const own = list === undefined ? undefined : rows.get(list);
    const last = list === undefined ? Math.max(this.#begunRow, ...rows.values()) : this.#begunRow;
    // Its fraction keeps a list apart from others in the same round.
    const order = own === undefined ? Math.floor(last) + 1 + (this.nextOrder() % APART) / APART : own + 1;
    if (list !== undefined) rows.set(list, order);
    return order;
  }

  /** Resolves when the store is asked about nothing any more. */
  async idle(): Promise<void> {
    if (this.queue.asked > 0)
      await new Promise<void>((resolve) => {
        this.queue.onNoneAsked = resolve;
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
    for (const call of this.queue.filter(({ stage }) => stage === "granted")) this.requeue(call);
  }

  /** Does all that is to be done now. Call when something has changed. Not reentrant, because entries may end as they begin. */
  dispatch(): void {
    if (this.#isRunning || this.isStopped || !this.ends.handlers) return;
    this.#isRunning = true;
    let step: Step | undefined;
    try {
      if (this.queue.clock) this.onClock(this.queue.clock);
      let due = 0;
      for (step = this.#next(); step.kind !== "wait" && due < DUE_AT_ONCE; step = this.#next()) {
        if (!("call" in step)) this.#handle(step);
        else if (step.kind === "expired") void this.ends.cut(step.call, "expired");
        else if (step.kind === "begin") this.ask(step.call)(true);
        else {
          due += 1;
          this.queue.take(step.call);
          void this.#due(step.call);
        }
      }
    } finally {
      this.#isRunning = false;
    }
    this.#plan(step);
  }

  canBegin(call: Call): boolean {
    return !this.isStopped && !this.#isRunning && this.queue.canBegin(call, this.#conditions);
  }

  /** Asks the store whether a call may begin. Returns what to call once it is known whether the call is accepted. */
  ask(call: Call): (isAccepted: boolean) => void {
    const at = this.queue.pacer.plan(performance.now());
    move(call, "asking", this.queue);
    this.queue.trials.begin(call);
    const asked = this.store.begin(call.entry, this.queue.trials.hold(call.isPatient));
    const granted = (leave: Leave) => {
      if (call.stage === "asking") this.#granted(call, leave, at);
    };
    return (isAccepted) => {
      if (isAccepted) void asked.then(granted);
      else this.queue.pacer.giveBack(at);
    };
  }

  /** Takes back a call that may not leave now: it waits in front of the others, or behind them if it was refused. */
  requeue(call: Call): void {
    if (call.stage !== "begun" && call.stage !== "granted") return;
    this.queue.pacer.stopped(call);
    move(call, "asking", this.queue);
    const isRefused = call.retryAt > Number.NEGATIVE_INFINITY;
    if (isRefused) call.order = call.priority === 2 ? this.nextRow() : this.nextOrder();
    void this.store.requeue(call.entry, isRefused).then(() => this.#waitAgain(call));
  }

  get #conditions(): Conditions {
    return {
      now: performance.now(),
      date: this.now(),
      steady: this.service.now(),
      fineAt: this.service.fineAt,
      leadMs: this.#leadMs,
      slots: this.ends.handlers?.slots() ?? 0,
      isOpen: this.isOpen,
    };
  }

  #next(): Step {
    return this.queue.next(this.#conditions);
  }

  #handle({ kind, isUrgent }: Exclude<Step, { call: Call } | { kind: "wait" }>): void {
    if (kind === "hurry") void this.service.observe({ kind });
    else if (kind === "over") void this.service.observe({ kind, isUrgent });
    else if (kind === "probe") void this.#probe();
    else {
      const late = this.queue.sweep(this.#conditions);
      const ofCut = (cut: Cut) => late.flatMap(([call, why]) => (why === cut ? call : []));
      for (const cut of ["expired", "trouble"] as const) void this.ends.cutAll(cut, ofCut(cut));
    }
  }

  /** Probes the service, one instance of a group at a time. */
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
    if (ms !== undefined) this.#timer = setTimeout(() => this.dispatch(), ms);
  }

  #granted(call: Call, leave: Leave, at: number): void {
    if (leave === "begun") this.#startAt(call, at);
    else if ("startInMs" in leave) this.#startAt(call, Math.max(at, performance.now() + leave.startInMs));
    else {
      this.queue.pacer.giveBack(at);
      if ("gone" in leave) {
        this.ends.finish(call, { cut: leave.gone });
        this.dispatch();
      } else {
        if ("tryInMs" in leave) this.queue.trials.retryAt = performance.now() + leave.tryInMs;
        else this.queue.retryAt = performance.now() + leave.retryInMs;
        this.#waitAgain(call);
      }
    }
  }

  #startAt(call: Call, at: number): void {
    if (call.stage !== "granted" && !move(call, "granted", this.queue)) return;
    const wait = at - performance.now();
    if (this.ends.endIfAsked(call)) return;
    if (this.isStopped) this.requeue(call);
    else if (wait > 0) setTimeout(() => this.#startAt(call, at), Math.ceil(wait));
    // A request that does not go through the backlog has taken the slot meanwhile, or trouble has begun.
    else if (this.ends.handlers && (this.ends.handlers.slots() < 1 || !this.queue.trials.mayStart(call))) {
      this.queue.pacer.giveBack(at);
      this.requeue(call);
    } else {
      this.queue.pacer.started(performance.now(), call);
      if (call.priority === 2) this.#begunRow = Math.max(this.#begunRow, call.order);
      move(call, "begun", this.queue);
      this.ends.handlers?.begin(call);
    }
  }

  #waitAgain(call: Call): void {
    if (call.stage !== "asking") return;
    this.queue.wait(call);
    this.ends.endIfAsked(call);
    this.#plan();
  }

  /** The date of a call has come: it waits behind the others as soon as it has got what it takes then. */
  async #due(call: Call): Promise<void> {
    const { entry, stage } = call;
    if (stage !== "dated" || this.isStopped) return;
    const keys = this.ends.handlers?.dueKeys?.(entry) ?? [];
    const answer = keys.length > 0 ? await this.store.takeDue(entry, keys) : ACCEPTED;
    if (call.stage !== "dated") return;
    if (answer.kind === "usedUp") await this.ends.usedUp(call, answer.retryAfterMs);
    else if (answer.kind !== "accepted") setTimeout(() => void this.#due(call), AGAIN_MS).unref();
    else {
      call.date = undefined;
      call.order = this.nextOrder();
      this.queue.wait(call);
      this.dispatch();
    }
  }
}
