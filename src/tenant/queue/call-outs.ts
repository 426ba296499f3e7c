import { randomUUID } from "node:crypto";
import type { Acceptance, Backlog, Counts, Cut, End, Entry, Key, Limits, Outcome, Records, Run } from "../../backlog";
import { dropped, expired, notSent, TenantError } from "../errors";
import { type JobResult, outcomeOf } from "../job";
import type { JobRun } from "../job-run";
import type { RequestStyle } from "../request-style";
import { engineFailure, keyOf, refusalOf } from "./admission";
import { contentOf, type Orphan, orphanOf, resultOf, runOf, wireResult } from "./stored-call-out";

/** What kind of backlog there is, if it is open. A failed one never opens. */
export type Engine = "opening" | "failed" | "memory" | "file" | "redis";

/** Who performs the call-outs, and hears of them. */
export interface Performer {
  style(): RequestStyle;
  /** How many may begin now. */
  places(): number;
  /** Whether call-outs may leave that do not leave at any time. */
  isOpen(): boolean;
  /** What waits besides call-outs. */
  others(): Pick<Counts, "waiting" | "bytes">;
  perform(run: JobRun): void;
  /** Why call-outs that were given up have ended. */
  givenUp(): TenantError;
  /** Why there is no room. */
  full(): TenantError;
  changed(): void;
  /** A record that an earlier process left. */
  adopted(name: string, value: unknown): void;
  noted(name: string, note: unknown): void;
  /** Whether the node of a call-out is still there, whose sender is gone. */
  wants(nodeId: string): boolean;
  /** A call-out whose sender is gone has ended. */
  orphaned(orphan: Orphan, result: JobResult): void;
  /** The outcome of such a call-out is known, but it may have been told already. */
  untold(orphan: Orphan, outcome: Outcome): void;
  /** The backlog fails, or works again. */
  trouble(reason: string | undefined): void;
}

const NOTHING: Counts = { waiting: 0, bytes: 0, restored: 0, paused: false, heldUntil: undefined };

/** The call-outs of one target: they wait in a backlog, which may outlive the process, while their senders wait here. */
export class CallOuts {
  readonly #performer: Performer;
  /** The backlog, once it is open. */
  #backlog: Backlog | undefined;
  readonly #opening: Promise<Backlog>;
  #failed = false;
  #limits: Limits | undefined;
  /** The runs of senders that wait, by the ids of their entries. */
  readonly #awaited = new Map<string, JobRun>();
  /** The runs that were begun, by the ids of their entries. */
  readonly #begun = new Map<string, JobRun>();
  #trouble: string | undefined;
  #isGivenUp = false;
  /** What could not be done while the backlog failed, to be tried again when it works. */
  readonly #retries: (() => void)[] = [];

  /** @param backlog served once it is open; if it rejects, nothing is accepted */
  constructor(backlog: Backlog | Promise<Backlog>, performer: Performer) {
    this.#performer = performer;
    this.#opening = Promise.resolve(backlog);
    if (backlog instanceof Promise) {
      const opened = (open: Backlog) => {
        this.#backlog = open;
        if (this.#limits) this.serve(this.#limits);
      };
      backlog.then(opened, () => (this.#failed = true));
    } else this.#backlog = backlog;
  }

  /** Resolves to the reason why the backlog cannot be used, if so. */
  get opened(): Promise<TenantError | undefined> {
    return this.#opening.then(
      () => undefined,
      (error: unknown) => (error instanceof TenantError ? error : notSent("ERR_CONFIG", "config")),
    );
  }

  get counts(): Counts {
    return this.#backlog?.counts ?? NOTHING;
  }

  /** Why the backlog fails, while it does. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Whether what waits outlives the process. */
  get isDurable(): boolean {
    return this.#backlog?.isDurable ?? false;
  }

  get engine(): Engine {
    if (!this.#backlog) return this.#failed ? "failed" : "opening";
    if (this.#backlog.isShared) return "redis";
    return this.#backlog.isDurable ? "file" : "memory";
  }

  /** Begins call-outs, within these limits. */
  serve(limits: Limits): void {
    this.#limits = limits;
    this.#isGivenUp = false;
    const performer = this.#performer;
    this.#backlog?.serve(
      {
        places: () => performer.places(),
        isOpen: () => performer.isOpen(),
        others: () => performer.others(),
        wants: (nodeId) => performer.wants(nodeId),
        begin: (run) => this.#begin(run),
        ended: (entry, end) => this.#ended(entry, end),
        inherited: ({ id }) => this.#inherited(id),
        adopted: (name, value) => performer.adopted(name, value),
        noted: (name, note) => performer.noted(name, note),
        changed: () => performer.changed(),
        trouble: (reason) => {
          this.#trouble = reason;
          performer.trouble(reason);
          if (reason === undefined) for (const retry of this.#retries.splice(0)) retry();
        },
      },
      limits,
    );
  }

  /** @param keys to be taken with its acceptance */
  accept(run: JobRun, keys: readonly Key[]): void {
    const { notAfter, nodeId, anytime, entryId: id = randomUUID() } = run.job;
    const isInMemory = this.engine === "memory";
    const { content, size } = isInMemory ? { content: null, size: 0 } : contentOf(run);
    const entry: Entry = {
      id,
      nodeId,
      ...(keys.length > 0 && { keys }),
      ...(anytime && { anytime }),
      ...(notAfter !== undefined && { notAfter }),
      size: run.bytes + size,
      content,
    };
    this.#awaited.set(entry.id, run);
    const settle = (acceptance: Acceptance) => {
      // It may have ended meanwhile.
      if (!this.#awaited.has(entry.id)) return;
      const refusal = refusalOf(acceptance, () => this.#performer.full());
      if (!refusal) {
        if (run.startedAt === undefined) run.hooks.onQueued?.();
        return;
      }
      this.#awaited.delete(entry.id);
      run.onEnd(run.failure(refusal));
    };
    this.#use((backlog) => backlog.accept(entry)).then(settle, (error: unknown) => {
      this.#awaited.delete(entry.id);
      run.onEnd(run.failure(error instanceof TenantError ? error : this.#performer.givenUp()));
    });
  }

  /** Takes the deduplication key of another request. Resolves to the reason why it must not be sent, if so. */
  async takeKey(run: JobRun): Promise<TenantError | undefined> {
    const key = keyOf(run.job);
    if (!key) return undefined;
    const refusal = refusalOf(await this.#use((backlog) => backlog.takeKey(key)), () => this.#performer.full());
    if (!refusal) run.heldKey = key;
    return refusal;
  }

  settleKey({ heldKey }: JobRun, outcome: Outcome): void {
    if (heldKey) this.#backlog?.settleKey(heldKey, outcome);
  }

  /** What taking a key would meet now. */
  async tryKey(key: Key): Promise<TenantError | undefined> {
    return refusalOf(await this.#use((backlog) => backlog.tryKey(key)), () => this.#performer.full());
  }

  /** Work that goes on over many call-outs. Rejects with ERR_ENGINE if the backlog fails. */
  readonly records: Records = {
    create: (name, value) => this.#record((records) => records.create(name, value)),
    update: (name, value) => this.#record((records) => records.update(name, value)),
    remove: (name) => this.#record((records) => records.remove(name)),
    note: (name, note) => this.#record((records) => records.note(name, note)),
  };

  #record<T>(use: (records: Records) => Promise<T>): Promise<T> {
    return this.#use((backlog) => use(backlog.records)).catch((error: unknown) => {
      throw error instanceof TenantError
        ? error
        : engineFailure(error instanceof Error ? error.message : String(error));
    });
  }

  /**
   * Ends a call-out that has not left. One that has just begun is not sent any more, unless its first byte has left. Resolves
   * to whether it was there.
   */
  async withdraw(id: string): Promise<boolean> {
    const run = this.#begun.get(id) ?? this.#awaited.get(id);
    if (run) run.withdrawn = true;
    const wasWaiting = await this.#use((backlog) => backlog.withdraw(id)).catch(() => false);
    return wasWaiting || run !== undefined;
  }

  look(): void {
    this.#backlog?.look();
  }

  pause(): void {
    this.#tell((backlog) => backlog.pause());
  }

  resume(): void {
    this.#tell((backlog) => backlog.resume());
  }

  hold(until: number | undefined): void {
    this.#tell((backlog) => backlog.hold(until));
  }

  /**
   * Ends all that wait. Resolves to their number.
   * @throws TenantError ERR_ENGINE if the backlog fails
   */
  async drop(): Promise<number> {
    try {
      return await this.#use((backlog) => backlog.drop());
    } catch (error) {
      // What could not be opened holds nothing.
      if (error instanceof TenantError) return 0;
      throw engineFailure(error instanceof Error ? error.message : String(error));
    }
  }

  /** Ends what waits of a node that is gone; if the backlog fails, as soon as it works again. Resolves to their number. */
  async dropOf(nodeId: string): Promise<number> {
    const retry = () => {
      if (!this.#performer.wants(nodeId)) void this.dropOf(nodeId);
    };
    return this.#use((backlog) => backlog.drop(nodeId)).catch(() => {
      this.#retries.push(retry);
      return 0;
    });
  }

  /** Ends all that wait, because the target is given up. Resolves when all have ended, or the backlog fails. */
  async giveUp(): Promise<void> {
    this.#isGivenUp = true;
    const retry = () => {
      if (this.#isGivenUp) void this.giveUp();
    };
    await this.#use((backlog) => backlog.giveUp()).catch(() => {
      this.#retries.push(retry);
    });
  }

  /** Begins nothing more. Returns the runs that have not begun. */
  rest(): readonly JobRun[] {
    this.#backlog?.rest();
    return [...this.#awaited.values()].filter(({ startedAt }) => startedAt === undefined);
  }

  async close(): Promise<void> {
    const closed = this.#use((backlog) => backlog.close()).catch(() => {});
    // It may open only once the flows run, which they may never do.
    if (this.#backlog) await closed;
  }

  /** At once if the backlog is open. */
  #use<T>(use: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    const backlog = this.#backlog;
    return backlog ? Promise.resolve(use(backlog)) : this.#opening.then(use);
  }

  /** Nobody waits for what a backlog does that could not be opened. */
  #tell(what: (backlog: Backlog) => unknown): void {
    this.#use(what).catch(() => {});
  }

  #begin(turn: Run): void {
    const { entry } = turn;
    const run = this.#awaited.get(entry.id) ?? runOf(entry, this.#performer.style());
    run.turn = turn;
    this.#begun.set(entry.id, run);
    this.#performer.perform(run);
  }

  /** A run that may not leave now waits again. */
  putBack(run: JobRun): void {
    const { turn } = run;
    if (!turn) return;
    this.#begun.delete(turn.entry.id);
    run.turn = undefined;
    run.startedAt = undefined;
    run.hooks.onQueued?.();
    turn.putBack();
  }

  /** Settles a run that was performed. */
  settle({ turn }: JobRun, result: JobResult): void {
    if (turn) this.#begun.delete(turn.entry.id);
    const told = this.#backlog?.isShared ? wireResult(result) : result;
    turn?.settle(outcomeOf(result), told);
  }

  #ended(entry: Entry, end: End): void {
    const awaited = this.#awaited.get(entry.id);
    this.#awaited.delete(entry.id);
    if ("untold" in end) this.#performer.untold(orphanOf(entry), end.untold);
    else {
      const run = awaited ?? runOf(entry, this.#performer.style());
      const result = "cut" in end ? run.failure(this.#reason(end.cut, run)) : resultOf(end.result);
      if (awaited) run.onEnd(result);
      else this.#performer.orphaned(orphanOf(entry), result);
    }
  }

  /** Another process sends the message on. */
  #inherited(id: string): void {
    const run = this.#awaited.get(id);
    this.#awaited.delete(id);
    run?.onEnd({ ...run.success(0, null), sentOn: true });
  }

  #reason(cut: Cut, { job: { notAfter } }: JobRun): TenantError {
    switch (cut) {
      case "dropped":
        return dropped();
      case "expired":
        return expired(notAfter ?? 0);
      case "givenUp":
        return this.#performer.givenUp();
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
