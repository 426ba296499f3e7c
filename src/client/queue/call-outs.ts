import { randomBytes } from "node:crypto";
import type { Backlog, Counts, Entry, Handlers, Key, Patience, Run, Settlement, Which } from "../../backlog";
import { dropped, TenantError } from "../errors";
import type { Job, JobResult, Unfinished } from "../job";
import { JobRun, type ProgressHooks } from "../job-run";
import {
  type ClientState,
  callOutShare,
  type Ended,
  MAX_WAITING_BYTES,
  NO_COUNTS,
  type Performer,
} from "./client-state";
import { engineFailure, reasonOf, refusalOf } from "./refusals";
import { callOutOf, entryOf, keyOf, nameOf } from "./stored-call-out";
import { judge, probeAnswerOf } from "./trouble";
import { type WaitingCall, waitingCall } from "./waiting-call";

/**
 * The call-outs of one target. One that waits is nothing but its entry in the backlog, which may outlive the process; what is
 * performed or reported is made from that, whichever process has accepted it.
 */
export class CallOuts implements Handlers {
  readonly #state: ClientState;
  readonly #performer: Performer;
  /** The backlog, once it is open. */
  backlog: Backlog | undefined;
  #opening!: Promise<Backlog>;
  /** Whether it will never open. */
  cannotOpen = false;
  /** Begins the ids of its entries, which are no longer than a UUID: the journal keeps room for their lines. One for all saves memory. */
  readonly #random = randomBytes(12).toString("hex");
  #count = 0;
  /** Entries whose acceptance is not answered yet. One that begins or ends meanwhile does not wait any more. */
  readonly #accepting = new Set<Entry>();
  /** Why the backlog fails, while it does. */
  failure: string | undefined;
  /** Why the target was given up: a deploy may have taken it up again while the ends of the calls are stored. */
  #whyGivenUp: TenantError | undefined;

  constructor(backlog: Backlog | Promise<Backlog>, state: ClientState, performer: Performer) {
    this.#state = state;
    this.#performer = performer;
    this.open(backlog);
  }

  /** @param backlog used once it is open; if it rejects, with a TenantError, nothing is accepted */
  open(backlog: Backlog | Promise<Backlog>): void {
    this.#opening = Promise.resolve(backlog);
    this.cannotOpen = false;
    this.#opening.then(
      (open) => (this.backlog = open),
      () => (this.cannotOpen = true),
    );
    if (!(backlog instanceof Promise)) this.backlog = backlog;
  }

  get counts(): Counts {
    return this.backlog?.counts ?? NO_COUNTS;
  }

  /** Begins call-outs, within the limits of the options. */
  serve(): void {
    this.whenOpen((backlog) => {
      const { concurrency, rate, backlog: entries } = this.#state.options;
      backlog.serve(this, { rate, entries, bytes: MAX_WAITING_BYTES, places: callOutShare(concurrency) });
    });
  }

  /**
   * Only once the backlog is open.
   * @param run is not performed: the call waits as its entry
   * @param key its deduplication key
   * @param shares keys of which it takes a use: with its acceptance, or at its date
   */
  async accept(run: JobRun, key: Key | undefined, shares: readonly Key[]): Promise<void> {
    const { job, hooks } = run;
    const backlog = this.backlog as Backlog;
    const isDated = job.notBefore !== undefined && job.notBefore > backlog.now();
    this.#count += 1;
    const id = job.entryId ?? `${this.#random}-${this.#count}`;
    const entry = { id, ...entryOf(run, [...(key ? [key] : []), ...(isDated ? [] : shares)], isDated, backlog) };
    this.#accepting.add(entry);
    const refusal = refusalOf(await backlog.accept(entry, hooks), this.#state);
    const waits = this.#accepting.delete(entry);
    if (refusal) this.#state.end(job, hooks, run.failure(refusal));
    else if (waits && isDated) {
      hooks.onDated?.();
      this.#state.onDated?.(job);
      this.#state.notify();
    } else if (waits) hooks.onQueued?.();
  }

  /** Takes a deduplication key. Resolves to the reason why the request must not be sent, if so. */
  async takeKey(key: Key): Promise<TenantError | undefined> {
    return refusalOf(await this.ask((backlog) => backlog.keys.take(key)), this.#state);
  }

  /** What taking a key would meet now. */
  async tryKey(key: Key): Promise<TenantError | undefined> {
    return refusalOf(await this.ask((backlog) => backlog.keys.try(key)), this.#state);
  }

  /** Where the call is that waits here and has the deduplication key of a job, whichever process has accepted it; and its date. */
  holderOf(job: Pick<Job, "deduplication">) {
    const key = keyOf(job);
    const turn = key && this.backlog?.holderOf(nameOf(job), [key]);
    const place = turn?.isAtRest && (turn.state as "dated" | "heldBack" | "waiting");
    return place ? { place, notBefore: turn?.entry.notBefore ?? 0 } : undefined;
  }

  /** Uses the backlog: at once if it is open. Rejects with ERR_ENGINE if it fails. */
  async ask<T>(question: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    try {
      return await question(this.backlog ?? (await this.#opening));
    } catch (error) {
      throw error instanceof TenantError ? error : engineFailure(error);
    }
  }

  /** As `ask`, but a backlog that could not be opened has nothing to do. */
  whenOpen(act: (backlog: Backlog) => unknown): void {
    this.ask(act).catch(() => {});
  }

  /**
   * Ends a call-out that has not left. One that has just begun is not sent any more, unless its first byte has left. Resolves
   * to whether it was there.
   */
  async withdraw(id: string): Promise<boolean> {
    this.#forbid(({ turn }) => turn?.entry.id === id);
    return this.ask((backlog) => backlog.withdraw(id)).catch(() => false);
  }

  /** The waiting call-outs, in the order in which they will be sent. Rejects with ERR_ENGINE if the backlog fails. */
  async list({ limit, offset }: { readonly limit: number; readonly offset: number }): Promise<readonly WaitingCall[]> {
    const listed = await this.ask((backlog) => backlog.list(offset, limit));
    const hold = { ...this.counts, callingHours: this.#state.options.callingHours };
    return listed.map((one, index) => waitingCall(one, offset + index + 1, hold));
  }

  /** Ends waiting call-outs. Resolves to their number. Rejects with ERR_ENGINE if the backlog fails. */
  async drop(which: Which): Promise<number> {
    try {
      return await this.ask((backlog) => backlog.drop(which));
    } catch (error) {
      // What could not be opened holds nothing.
      if (this.cannotOpen) return 0;
      throw error;
    }
  }

  /** Ends all that wait, because the target is given up: at once, or when a backlog that fails works again. */
  failAll(): void {
    this.#whyGivenUp = this.#state.refusal;
    this.whenOpen((backlog) => backlog.failAll());
  }

  /** Begins nothing more. Returns the call-outs of this process that have not begun. */
  stopDispatching(): readonly Unfinished[] {
    const waiting = this.backlog?.stopDispatching() ?? [];
    const isKept = this.backlog?.isDurable === true;
    return waiting.flatMap(({ entry, sender: hooks }) => {
      if (!hooks) return [];
      const summary = isKept ? {} : this.#runOf(entry).summary;
      return { hooks, summary, isInFlight: false, isKept, outcome: "not-applied" };
    });
  }

  async close(): Promise<void> {
    const closed = this.ask((backlog) => backlog.close()).catch(() => {});
    // It may open only once the flows run, which they may never do.
    if (this.backlog) await closed;
  }

  get restored() {
    return this.#state.restoreHandler;
  }

  places(): number {
    return this.#state.refusal ? 0 : this.#performer.callOutPlaces;
  }

  others(): Pick<Counts, "waiting" | "bytes"> {
    return this.#performer.waiting;
  }

  isOpen(): boolean {
    return this.#state.options.callingHours?.isOpen ?? true;
  }

  wasOpen(entry: Entry, until: number): boolean | undefined {
    const { callingHours: hours } = this.#state.options;
    return hours?.wasOpen ? hours.wasOpen(entry.notBefore ?? callOutOf(entry).at, until) : true;
  }

  dueKeys(entry: Entry): readonly Key[] {
    return this.#state.options.guard?.rateLimitKeys(callOutOf(entry).job) ?? [];
  }

  onDue(_entry: Entry, hooks: ProgressHooks | undefined): void {
    hooks?.onQueued?.();
    this.#state.notify();
  }

  begin(turn: Run): void {
    const { entry, sender } = turn;
    const run = this.#runOf(entry, sender as ProgressHooks | undefined);
    run.turn = turn;
    this.#accepting.delete(entry);
    this.#performer.start(run);
  }

  get patience(): Patience {
    const { onTrouble, waitAtMostMs: atMostMs = 0, timeoutMs: probeMs } = this.#state.options;
    const probe = async () => probeAnswerOf(await this.#performer.probe());
    return { isForAll: onTrouble === "wait", atMostMs, probeMs, probe };
  }

  /** A job was performed: that says something of the service. Returns whether it waits again, because nothing was done. */
  performed({ turn }: JobRun, result: JobResult): boolean {
    const { service } = this.backlog ?? {};
    // After a stop, nothing is written any more.
    if (result.ok && result.envelope?.success === true && !this.#state.refusal) service?.prove();
    if (!turn || !service) return false;
    const { event, waitsAgain } = judge(turn, result, this.patience.isForAll, service);
    if (event) void service.observe(event);
    return waitsAgain && !this.#isGivenUp;
  }

  /** Not at a stop: what waits in a durable backlog goes on after it. */
  get #isGivenUp(): boolean {
    const { refusal } = this.#state;
    return refusal !== undefined && refusal === this.#whyGivenUp;
  }

  /** A call-out that may not leave now waits again. */
  requeue({ turn, hooks }: JobRun): void {
    hooks.onQueued?.();
    turn?.requeue();
  }

  onSettled(entry: Entry, settlement: Settlement, hooks: ProgressHooks | undefined, reported: () => void): boolean {
    if ("unreported" in settlement) {
      this.restored?.onUnreportedOutcome(callOutOf(entry), settlement.unreported);
      return false;
    }
    this.#accepting.delete(entry);
    const { run, result: ended } = "cut" in settlement ? this.#cut(entry, settlement) : (settlement.result as Ended);
    const result = { ...ended, reported };
    this.#state.end(run.job, hooks, result, run.kept);
    if (!hooks) this.restored?.onOrphanedResult(run, result);
    return true;
  }

  onInherited(entry: Entry, hooks: ProgressHooks | undefined): void {
    this.#accepting.delete(entry);
    this.#forbid(({ turn }) => turn?.entry === entry);
    const run = this.#runOf(entry);
    if (hooks) this.#state.end(run.job, hooks, { ...run.success(0, null), sentOn: true }, run.kept);
  }

  #cut(entry: Entry, settlement: Parameters<typeof reasonOf>[0]): Ended {
    const run = this.#runOf(entry);
    const whyGivenUp = this.#state.refusal ?? this.#whyGivenUp;
    return { run, result: run.failure(reasonOf(settlement, run.job, whyGivenUp, this.backlog?.service)) };
  }

  /** A call that has begun is not sent any more, unless its first byte has left. */
  #forbid(isMeant: (run: JobRun) => boolean): void {
    for (const run of this.#performer.started.items.filter(isMeant)) run.withdrawn = dropped();
  }

  #runOf(entry: Entry, hooks: ProgressHooks = {}): JobRun {
    const { job, at, kept, text } = callOutOf(entry);
    return new JobRun(job, hooks, this.#state.options.style.current, at, kept, text);
  }

  onChange(): void {
    this.#state.notify();
  }

  onFailure(reason: string | undefined): void {
    this.failure = reason;
    this.#state.notify();
    if (reason === undefined && this.#isGivenUp) this.failAll();
  }
}
