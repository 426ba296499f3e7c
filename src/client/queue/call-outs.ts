import { randomUUID } from "node:crypto";
import type {
  Acceptance,
  Backlog,
  Cancelled,
  Counts,
  Cut,
  Entry,
  Handlers,
  Key,
  Limits,
  Run,
  Settlement,
  Which,
} from "../../backlog";
import { cancelled, dropped, expired, notSent, TenantError } from "../errors";
import { type JobResult, outcomeOf } from "../job";
import { JobRun, type ProgressHooks } from "../job-run";
import { calledTooOften, engineFailure, nameOf, refusalOf } from "./admission";
import type { ClientState } from "./client-state";
import { contentOf, orphanOf, restoredJob } from "./stored-call-out";
import { type WaitingCall, waitingCall } from "./waiting-call";

/** What kind of backlog there is; `opening` until there is one, `failed` if it will never open. */
export type Engine = Backlog["engine"];

/** Who waits for the end of an entry. */
interface Sender {
  /** Absent once its sender has let it go: it is made from the entry when that begins or ends. */
  run?: JobRun | undefined;
  readonly hooks: ProgressHooks;
}

/** Up to this many waiting call-outs of a durable backlog are in memory, too. Further ones, and those with a date, are only in the backlog. */
const MOST_IN_MEMORY = 500;

/** How an entry ended that has no result. */
type Ended = Extract<Settlement, { cut: Cut }>;

/** Performs call-outs, and knows how many places are free. */
interface Performer {
  readonly callOutPlaces: number;
  readonly waiting: Pick<Counts, "waiting" | "bytes">;
  startCallOut(run: JobRun): void;
}

const NOTHING: Counts = {
  waiting: 0,
  bytes: 0,
  restored: 0,
  dated: 0,
  heldBack: 0,
  nextDate: undefined,
  paused: false,
  heldUntil: undefined,
};

/** The call-outs of one target: they wait in a backlog, which may outlive the process, while their senders wait here. */
export class CallOuts implements Handlers {
  readonly #state: ClientState;
  readonly #performer: Performer;
  /** The backlog, once it is open. */
  backlog: Backlog | undefined;
  #opening: Promise<Backlog>;
  #openingFailed = false;
  #limits: Limits | undefined;
  /** Runs that wait until the backlog is open. */
  readonly #early = new Set<JobRun>();
  #failure: string | undefined;
  /** Why the target was given up: a deploy may have taken it up again while the ends of the calls are stored. */
  #whyGivenUp: TenantError | undefined;
  /** What could not be done while the backlog failed, to be tried again when it works. */
  readonly #retries: (() => void)[] = [];

  /** @param backlog served once it is open; if it rejects, nothing is accepted */
  constructor(backlog: Backlog | Promise<Backlog>, state: ClientState, performer: Performer) {
    this.#state = state;
    this.#performer = performer;
    this.#opening = Promise.resolve(backlog);
    if (backlog instanceof Promise) {
      const opened = (open: Backlog) => {
        this.backlog = open;
        if (this.#limits) this.serve(this.#limits);
      };
      backlog.then(opened, () => (this.#openingFailed = true));
    } else this.backlog = backlog;
  }

  /** Resolves to the reason why the backlog cannot be used, if so. */
  get opened(): Promise<TenantError | undefined> {
    return this.#opening.then(
      () => undefined,
      (error: unknown) => (error instanceof TenantError ? error : notSent("ERR_CONFIG", "config")),
    );
  }

  get counts(): Counts {
    return this.backlog?.counts ?? NOTHING;
  }

  /** Why the backlog fails, while it does. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get engine(): Engine {
    return this.backlog?.engine ?? (this.#openingFailed ? "failed" : "opening");
  }

  /** Has a backlog that could not be opened before. */
  reopen(backlog: Backlog): void {
    this.backlog = backlog;
    this.#opening = Promise.resolve(backlog);
    this.#openingFailed = false;
  }

  /** Begins call-outs, within these limits. */
  serve(limits: Limits): void {
    this.#limits = limits;
    this.backlog?.serve(this, limits);
  }

  /**
   * @param key its deduplication key
   * @param shares keys of which it takes a use: with its acceptance, or at its date
   */
  accept(run: JobRun, key: Key | undefined, shares: readonly Key[]): void {
    const isDated = run.job.notBefore !== undefined && run.job.notBefore > (this.backlog?.now() ?? Date.now());
    const keys = [...(key ? [key] : []), ...(isDated ? [] : shares)];
    const { entry, isExact } = this.#entryOf(run, keys, isDated);
    const sender: Sender = { run, hooks: run.hooks };
    const acceptance = this.backlog ? this.backlog.accept(entry, sender) : this.#acceptLater(entry, sender, run);
    if (!(acceptance instanceof Promise)) this.#accepted(run, acceptance, isDated);
    else
      acceptance.then(
        (answer) => {
          const waits = this.#accepted(run, answer, isDated);
          const isEnough = isDated || this.counts.waiting > MOST_IN_MEMORY;
          if (waits && isExact && isEnough && run.hooks.letGo?.()) sender.run = undefined;
        },
        (error: unknown) => run.settle(run.failure(error instanceof TenantError ? error : this.#whyRefused)),
      );
  }

  /** Takes a deduplication key. Resolves to the reason why the request must not be sent, if so. */
  async takeKey(key: Key): Promise<TenantError | undefined> {
    return refusalOf(await this.#use((backlog) => backlog.takeKey(key)), this.#state);
  }

  /** What taking a key would meet now. */
  async tryKey(key: Key): Promise<TenantError | undefined> {
    return refusalOf(await this.#use((backlog) => backlog.tryKey(key)), this.#state);
  }

  /** Uses the backlog as soon as it is open. Rejects with ERR_ENGINE if it fails. */
  async ask<T>(question: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    try {
      return await this.#use(question);
    } catch (error) {
      throw error instanceof TenantError
        ? error
        : engineFailure(error instanceof Error ? error.message : String(error));
    }
  }

  /** Uses the backlog as soon as it is open; one that could not be opened has nothing to do. */
  whenOpen(act: (backlog: Backlog) => unknown): void {
    this.#use(act).catch(() => {});
  }

  /**
   * Ends a call-out that has not left. One that has just begun is not sent any more, unless its first byte has left. Resolves
   * to whether it was there.
   */
  async withdraw(id: string): Promise<boolean> {
    const early = [...this.#early].find(({ job }) => job.entryId === id);
    const run = early ?? (this.backlog?.senderOf(id) as Sender | undefined)?.run;
    if (run) run.withdrawn = dropped();
    const wasWaiting = await this.#use((backlog) => backlog.withdraw(id)).catch(() => false);
    return wasWaiting || run !== undefined;
  }

  /**
   * Ends the call-outs that wait with a deduplication key, in any scope.
   * @param name of the key
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async cancel(name: string): Promise<Cancelled> {
    const early = [...this.#early].filter(({ job }) => nameOf(job) === name);
    for (const run of early) run.withdrawn = cancelled("cancel");
    const ended = await this.ask((backlog) => backlog.cancel(name));
    return { ...ended, cancelled: ended.cancelled + early.length };
  }

  /** The waiting call-outs, in the order in which they will be sent. Rejects with ERR_ENGINE if the backlog fails. */
  async list(offset: number, limit: number): Promise<readonly WaitingCall[]> {
    const listed = await this.ask((backlog) => backlog.list(offset, limit));
    return listed.map(({ entry, sender, waitsFor }, index) =>
      waitingCall(entry, (sender as Sender | undefined)?.run, {
        position: offset + index + 1,
        waitsFor: waitsFor === "turn" ? this.#waitsFor(entry) : waitsFor,
      }),
    );
  }

  /** Why an entry whose date has come is still waiting. */
  #waitsFor({ anytime }: Entry): WaitingCall["waitsFor"] {
    const { paused, heldUntil } = this.counts;
    if (paused) return "pause";
    if (heldUntil !== undefined) return "hold";
    return anytime || this.isOpen() ? "turn" : "hours";
  }

  /**
   * Ends waiting call-outs. If the backlog fails, those of a deleted node are ended as soon as it works again. Resolves to their
   * number. Rejects with ERR_ENGINE if the backlog fails, unless they are those of one node.
   */
  async drop(which: Which): Promise<number> {
    const { nodeId } = which;
    try {
      return await this.ask((backlog) => backlog.drop(which));
    } catch (error) {
      // What could not be opened holds nothing.
      if (this.engine === "failed") return 0;
      if (nodeId === undefined) throw error;
      this.#retries.push(() => {
        if (!this.restored?.hasNode(nodeId)) void this.drop(which);
      });
      return 0;
    }
  }

  /** Ends all that wait, because the target is given up: at once, or when a backlog that fails works again. */
  failAll(): void {
    this.#whyGivenUp = this.#state.refusal;
    this.#use((backlog) => backlog.failAll()).catch(() => {
      this.#retries.push(() => {
        if (this.#state.refusal) this.failAll();
      });
    });
  }

  /** Begins nothing more. Returns the runs that have not begun. */
  stopDispatching(): readonly JobRun[] {
    const senders = (this.backlog?.stopDispatching() ?? []) as Sender[];
    return [...this.#early, ...senders.flatMap(({ run }) => run ?? [])];
  }

  async close(): Promise<void> {
    const closed = this.#use((backlog) => backlog.close()).catch(() => {});
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

  dueKeys(entry: Entry, sender: Sender | undefined): readonly Key[] {
    const { guard } = this.#state.options;
    return guard?.rateLimitKeys(sender?.run?.job ?? orphanOf(entry).job) ?? [];
  }

  onDue(_entry: Entry, sender: Sender | undefined): void {
    sender?.hooks.onQueued?.();
    this.#state.notify();
  }

  begin(turn: Run): void {
    const sender = turn.sender as Sender | undefined;
    const run = this.#runOf(turn.entry, sender);
    turn.sender = { run, hooks: run.hooks } satisfies Sender;
    run.turn = turn;
    this.#performer.startCallOut(run);
  }

  /** A run that may not leave now waits again. */
  requeue(run: JobRun): void {
    const { turn } = run;
    run.turn = undefined;
    run.startedAt = undefined;
    run.hooks.onQueued?.();
    turn?.requeue();
  }

  /** Settles a run that was performed. */
  settle({ turn }: JobRun, result: JobResult): void {
    turn?.settle(outcomeOf(result), result);
  }

  onSettled(entry: Entry, settlement: Settlement, sender: Sender | undefined, reported: () => void): boolean {
    const isResult = !("unreported" in settlement);
    if (!isResult) this.restored?.onUnreportedOutcome(orphanOf(entry), settlement.unreported);
    else {
      const run = this.#runOf(entry, sender);
      const isCut = "cut" in settlement;
      const result = isCut ? run.failure(this.#reason(settlement, run)) : (settlement.result as JobResult);
      run.settle({ ...result, reported });
    }
    return isResult;
  }

  onInherited(entry: Entry, sender: Sender | undefined): void {
    if (!sender) return;
    const run = this.#runOf(entry, sender);
    run.withdrawn = dropped();
    run.settle({ ...run.success(0, null), sentOn: true });
  }

  onChange(): void {
    this.#state.notify();
  }

  onFailure(reason: string | undefined): void {
    this.#failure = reason;
    this.#state.notify();
    if (reason === undefined) for (const retry of this.#retries.splice(0)) retry();
  }

  /** At once if the backlog is open. */
  #use<T>(use: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    return this.backlog ? Promise.resolve(use(this.backlog)) : this.#opening.then(use);
  }

  async #acceptLater(entry: Entry, sender: Sender, run: JobRun): Promise<Acceptance> {
    this.#early.add(run);
    const backlog = await this.#opening.finally(() => this.#early.delete(run));
    if (run.withdrawn) throw run.withdrawn;
    return backlog.accept(entry, sender);
  }

  /** Returns whether it waits. */
  #accepted(run: JobRun, acceptance: Acceptance, isDated: boolean): boolean {
    const refusal = refusalOf(acceptance, this.#state);
    if (refusal) run.settle(run.failure(refusal));
    // It may have started or ended meanwhile.
    else if (run.startedAt !== undefined || run.isSettled) return false;
    else if (isDated) {
      run.hooks.onDated?.();
      this.#state.onDated?.(run.job);
      this.#state.notify();
    } else run.hooks.onQueued?.();
    return !refusal;
  }

  /** An entry for a run, and whether the sender needs nothing but the entry. */
  #entryOf(run: JobRun, keys: readonly Key[], isDated: boolean): { readonly entry: Entry; readonly isExact: boolean } {
    const { notAfter, notBefore, nodeId, anytime, onceAgain, record, entryId: id = randomUUID() } = run.job;
    const inMemory = { content: null, size: 0, isExact: false };
    const { content, size, isExact } = this.backlog?.isDurable === false ? inMemory : contentOf(run);
    const name = nameOf(run.job);
    const entry: Entry = {
      id,
      nodeId,
      ...(keys.length > 0 && { keys }),
      ...(name !== undefined && { name }),
      ...(onceAgain === "replace" && { replaces: true }),
      ...(isDated && { notBefore }),
      ...(record !== undefined && this.backlog?.records.isHeldBack(record) && { heldBack: true }),
      ...(anytime && { anytime }),
      ...(notAfter !== undefined && { notAfter }),
      size: run.bytes + size,
      content,
    };
    return { entry, isExact };
  }

  /**
   * The run of an entry. It is made anew if there is only the entry.
   * @param sender `undefined` if another process has accepted it
   */
  #runOf(entry: Entry, sender: Sender | undefined): JobRun {
    if (sender?.run) return sender.run;
    const { job, acceptedAt } = restoredJob(entry);
    const settle = ({ hooks }: JobRun, result: JobResult) => {
      hooks.onEnd?.(result);
      if (result.sentOn) return;
      this.#state.onResult?.(job, result);
      if (sender) this.restored?.onLetGoResult(orphanOf(entry), result);
      else this.restored?.onOrphanedResult(orphanOf(entry), result);
    };
    return new JobRun(job, sender?.hooks ?? {}, settle, this.#state.style.current, acceptedAt);
  }

  get #whyRefused(): TenantError {
    return this.#state.refusal ?? this.#whyGivenUp ?? dropped();
  }

  #reason({ cut, retryAfterMs = 0 }: Ended, { job: { notAfter } }: JobRun): TenantError {
    switch (cut) {
      case "dropped":
        return dropped();
      case "cancelled":
        return cancelled("cancel");
      case "replaced":
        return cancelled("replaced");
      case "usedUp":
        return calledTooOften(retryAfterMs);
      case "expired":
        return expired(notAfter ?? 0);
      case "givenUp":
        return this.#whyRefused;
      case "lost":
        return new TenantError("ERR_CONNECTION_LOST", "request", {
          sent: "maybe",
          outcome: "unknown",
          retryable: false,
          key: "restoredLost",
        });
    }
  }
}
