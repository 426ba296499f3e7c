import { randomBytes } from "node:crypto";
import type { Backlog, Counts, Entry, Handlers, Key, Patience, ProbeAnswer, Settlement } from "../../backlog";
import { AT_REST, move, type Stage } from "../../backlog/call";
import { dropped, engineFailure, TenantError } from "../errors";
import { type JobResult, outcomeOf, type Unfinished } from "../job";
import type { Address } from "../transport/address";
import { callOutShare, InFlight } from "./in-flight";
import { JobRun } from "./job-run";
import { type CallOfJob, Lane } from "./lane";
import { type ClientOptions, type Follower, MAX_WAITING_BYTES, type Owned, type RestoreHandler } from "./options";
import { backlogFull, reasonOf, refusalOf } from "./refusals";
import { entryOf, jobOf, runOf, unknownEntry } from "./stored-call-out";
import { judge, PROBE, probeAnswerOf } from "./trouble";

/** While it is written down, a call is seen only if it waited before: else each would flash by. */
const UNSEEN: ReadonlySet<Stage> = new Set(["accepting", "asking", "granted"]);

/**
 * The calls of one tenant, from their admission to their end, and the slots that they share: everything else first, first in,
 * first out, and call-outs last, from a backlog that may outlive the process.
 */
export class LineUp implements Handlers {
  options!: ClientOptions;
  /** The reason why nothing is sent any more, if there is one. */
  refusal: TenantError | undefined;
  /** Once it is open. */
  backlog: Backlog | undefined;
  #opening!: Promise<Backlog>;
  /** Whether the backlog will never open. */
  cannotOpen = false;
  failure: string | undefined;
  /** The reason why the target was given up: a deploy may have taken it up again while the ends of the calls are stored. */
  #whyGivenUp: TenantError | undefined;
  /** Begins the ids of entries, which are no longer than a UUID: the journal keeps room for their lines. One for all saves memory. */
  readonly #random = randomBytes(12).toString("hex");
  #count = 0;
  /** All but call-outs. */
  readonly #lane = new Lane();
  readonly inFlight = new InFlight();
  #isFilling = false;

  /** @param restored handles what earlier processes have left */
  constructor(
    private readonly followers: Iterable<Follower>,
    readonly restored: RestoreHandler | undefined,
  ) {}

  /** @param backlog used once it is open; if it rejects, with a TenantError, nothing is accepted */
  keepIn(backlog: Backlog | Promise<Backlog>): void {
    this.#opening = Promise.resolve(backlog);
    this.cannotOpen = false;
    this.#opening.then(
      (open) => (this.backlog = open),
      () => (this.cannotOpen = true),
    );
    if (!(backlog instanceof Promise)) this.backlog = backlog;
  }

  /** Begins anew with every slot free. What is in flight ends as it began, and nothing starts before `open`. */
  serve(options: ClientOptions): void {
    this.options = options;
    this.refusal = undefined;
    this.inFlight.renew(options.concurrency);
    this.whenOpen((backlog) => {
      const { concurrency, rate, backlog: entries } = this.options;
      backlog.serve(this, { rate, entries, bytes: MAX_WAITING_BYTES, slots: callOutShare(concurrency) });
    });
  }

  open(address: Address): void {
    this.inFlight.open(this.options, address);
    this.#fill();
    this.backlog?.loop.dispatch();
  }

  /** Uses the backlog: at once if it is open. Rejects with ERR_ENGINE if it fails. */
  async ask<T>(question: (backlog: Backlog) => T | Promise<T>): Promise<T> {
    try {
      return await question(this.backlog ?? (await this.#opening));
    } catch (error) {
      throw error instanceof TenantError ? error : engineFailure(error);
    }
  }

  /** Does the same as `ask`, but a backlog that could not be opened has nothing to do. */
  whenOpen(act: (backlog: Backlog) => unknown): void {
    this.ask(act).catch(() => {});
  }

  others(): Pick<Counts, "waiting" | "bytes"> {
    return { waiting: this.#lane.calls.length, bytes: this.#lane.bytes };
  }

  get waiting(): number {
    return this.#lane.calls.length + (this.backlog?.counts.waiting ?? 0);
  }

  /** Lets a call-out wait in the backlog, once that is open. Its key and shares are as those of an entry. */
  async accept(call: CallOfJob, run: JobRun, key: Key | undefined, shares: readonly Key[]): Promise<void> {
    const backlog = this.backlog as Backlog;
    this.#count += 1;
    const id = run.job.entryId ?? `${this.#random}-${this.#count}`;
    const entry = entryOf(id, run, call.owner, key, shares, backlog);
    const acceptance = await backlog.accept(entry, call, () => !run.withdrawn);
    const refusal = acceptance.kind === "withdrawn" ? run.withdrawn : refusalOf(acceptance, this);
    if (!refusal) return;
    const holder = acceptance.kind === "duplicate" ? backlog.holderOf(entry) : undefined;
    this.#report(call, run, { ...run.failure(refusal), ...(holder && { holder }) });
  }

  /** Starts a call that is no call-out, or lets it wait. */
  add(call: CallOfJob, run: JobRun): void {
    const { hasSlot } = this.inFlight;
    const bytes = () => run.bytes + this.#lane.bytes + (this.backlog?.counts.bytes ?? 0);
    const hasRoom = hasSlot || (this.waiting < this.options.backlog && bytes() <= MAX_WAITING_BYTES);
    const refusal = this.refusal ?? run.withdrawn ?? (hasRoom ? undefined : backlogFull(this));
    if (!refusal) {
      this.#lane.add(call, run);
      if (hasSlot) this.#fill();
      if (call.stage === "admitting") move(call, "queued", this);
    } else this.endUnstored(call, run, run.failure(refusal));
  }

  /** Ends the calls that are meant and wait outside of the backlog. Returns their requests, and whose they were. */
  endOthers(isMeant: (run: JobRun) => boolean, why: TenantError): readonly Owned[] {
    const calls = this.#lane.calls.filter(({ run }) => isMeant(run));
    return calls.map((call) => {
      const { owner, run } = call;
      this.#lane.remove(call);
      this.endUnstored(call, run, run.failure(why));
      return { owner, run };
    });
  }

  /** Ends all that wait, because the target is given up: at once, or when a backlog that fails works again. */
  failAll(): void {
    this.#whyGivenUp = this.refusal;
    this.whenOpen((backlog) => backlog.failAll());
  }

  /** Begins nothing more. Returns the call-outs of this process that have not begun, and what is in flight. */
  halt(): readonly Unfinished[] {
    const isDurable = this.backlog?.isDurable === true;
    const waiting: Unfinished[] = (this.backlog?.stopDispatching() ?? []).flatMap(({ entry, owner }) => {
      const summary = isDurable || !owner ? {} : runOf(entry, this.options.style.current).summary;
      return owner ? { owner, summary, isInFlight: false, isKept: isDurable, outcome: "not-applied" } : [];
    });
    // No later process opens the backlog of a target that was given up.
    return [...this.inFlight.unfinished(isDurable && !this.#isGivenUp), ...waiting];
  }

  get patience(): Patience {
    const { onTrouble, waitAtMostMs: atMostMs = 0, timeoutMs: probeMs } = this.options;
    return { isForAll: onTrouble === "wait", atMostMs, probeMs, probe: () => this.#probe() };
  }

  slots(): number {
    return this.refusal || this.#lane.calls.length > 0 ? 0 : this.inFlight.callOutSlots;
  }

  isOpen(): boolean {
    return this.options.callingHours?.isOpen ?? true;
  }

  wasOpen(entry: Entry, until: number): boolean | undefined {
    const { callingHours: hours } = this.options;
    return hours?.wasOpen ? hours.wasOpen(entry.notBefore ?? jobOf(entry).at, until) : true;
  }

  dueKeys(entry: Entry): readonly Key[] {
    return this.options.guard?.rateLimitKeys(jobOf(entry).job) ?? [];
  }

  begin(call: CallOfJob): void {
    call.run ??= runOf(call.entry, this.options.style.current);
    call.run.backlog = this.backlog;
    this.#start(call, call.run);
  }

  moved(call: CallOfJob, from: Stage): void {
    const { stage, run } = call;
    const isDated = stage === "dated" && from === "accepting";
    if (isDated && run) for (const follower of this.followers) follower.dated?.(run.job);
    // One that waits is nothing but its entry, and who has a result need not keep its request.
    if (stage === "ended" || (AT_REST.has(stage) && run?.job.lane === "callOut")) call.run = undefined;
    if (!UNSEEN.has(stage) || from === "begun" || call.since !== undefined) call.owner?.moved?.(call, from);
    if (isDated || (from === "dated" && stage === "queued")) this.onChange();
  }

  end(call: CallOfJob, settlement: Settlement): void {
    const { entry, owner } = call;
    const reported = () => this.backlog?.ends.forget(call);
    if ("unreported" in settlement) {
      this.restored?.onUnreportedOutcome(jobOf(entry), settlement.unreported, reported);
      return;
    }
    const run = runOf(entry, this.options.style.current);
    const isInFlight = this.inFlight.forbid((begun) => begun.call === call);
    const givenUp = this.refusal ?? this.#whyGivenUp;
    const why = reasonOf(settlement, run.job, { givenUp, isInFlight, service: this.backlog?.service });
    const result = why ? { ...run.failure(why), reported } : { ...run.success(0, null), sentOn: true };
    if (owner || !("inherited" in settlement)) this.#report(call, run, result);
  }

  onChange(): void {
    for (const follower of this.followers) follower.changed?.();
  }

  onUnknownFull(): void {
    for (const follower of this.followers) follower.unknownFull?.();
  }

  onFailure(reason: string | undefined): void {
    this.failure = reason;
    this.onChange();
    if (reason === undefined && this.#isGivenUp) this.failAll();
  }

  endUnstored(call: CallOfJob, run: JobRun, result: JobResult): void {
    if (run.heldKey) this.backlog?.keys.settle(run.heldKey, outcomeOf(result));
    if (call.heap) call.moveTo(undefined);
    move(call, "ended", this);
    this.#report(call, run, result);
  }

  #start(call: CallOfJob, run: JobRun): void {
    run.call = call;
    void this.inFlight.start(run, this.refusal).then((result) => this.#finish(call, run, result));
  }

  /** Ends a call that was started, or lets it wait again. */
  #finish(call: CallOfJob, run: JobRun, result: JobResult | undefined): void {
    const isFree = this.inFlight.end(run);
    const waitsAgain = !result || this.#judge(call, run, result);
    const ended = waitsAgain ? run.withdrawn && run.failure(run.withdrawn) : result;
    if (!ended) run.backlog?.loop.requeue(call);
    else if (run.backlog) void this.#settle(call, run, run.backlog, ended);
    else this.endUnstored(call, run, ended);
    if (!isFree) return;
    if (this.#lane.calls.length > 0) this.#fill();
    if (!this.#isFilling) this.backlog?.loop.dispatch();
  }

  async #settle(call: CallOfJob, run: JobRun, backlog: Backlog, result: JobResult): Promise<void> {
    const outcome = outcomeOf(result);
    const kept = !result.ok && outcome === "unknown" && unknownEntry(call, result.error, backlog.loop.now());
    if (!(await backlog.ends.settle(call, outcome, kept || undefined))) return;
    this.#report(call, run, Object.assign(result, { reported: () => backlog.ends.forget(call) }));
  }

  /** Reports how a call ended, also if its owner is gone. */
  #report(call: CallOfJob, run: JobRun, ended: JobResult): void {
    const result = call.entry.again === undefined ? ended : { ...ended, again: true as const };
    for (const follower of this.followers) follower.ended?.(run.job, result);
    if (call.owner) call.owner.ended(result, run.kept);
    else this.restored?.onOrphanedResult(run, result);
  }

  /** Reports what the end of a request says of the service. Returns whether its call waits again, because nothing was done. */
  #judge(call: CallOfJob | undefined, { backlog }: JobRun, result: JobResult): boolean {
    const open = this.backlog;
    // After a stop, nothing is written any more.
    if (result.ok && result.envelope?.success === true && !this.refusal) open?.service.prove();
    if (!call || !backlog || !open) return false;
    const { event, waitsAgain } = judge(call, result, this.patience.isForAll, open);
    if (event) void open.service.observe(event);
    return waitsAgain && !this.#isGivenUp;
  }

  /** Whether calls are given up, and not only at a stop: what waits in a durable backlog goes on after it. */
  get #isGivenUp(): boolean {
    return this.refusal !== undefined && this.refusal === this.#whyGivenUp;
  }

  /** Asks the service for something small, past the lanes. */
  async #probe(): Promise<ProbeAnswer> {
    const run = new JobRun(PROBE, this.options.style.current);
    const result = (await this.inFlight.perform(run, this.refusal)) ?? run.failure(dropped());
    this.#judge(undefined, run, result);
    return probeAnswerOf(result);
  }

  /** Starts what may start. Not reentrant: thousands of calls may end while they start, because their time has passed. */
  #fill(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    try {
      for (let [next] = this.#lane.calls; next && this.inFlight.hasSlot; [next] = this.#lane.calls) {
        this.#lane.remove(next);
        if (move(next, "begun", this)) this.#start(next, next.run);
      }
    } finally {
      this.#isFilling = false;
    }
  }
}
