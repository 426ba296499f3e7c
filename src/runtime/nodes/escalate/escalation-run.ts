import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { NodeAPI } from "node-red";
import { type Backlog, LONGEST_TIMER_MS } from "../../../backlog";
import { areaOf, type Call, type Stage } from "../../../backlog/call";
import {
  type Job,
  type JobResult,
  outcomeOf,
  type Request,
  type TenantClient,
  TenantError,
  troubleOf,
} from "../../../client";
import { notBegun } from "../../delivery/failure";
import { accepted, waiting } from "../../delivery/http-answer";
import { Mailbox } from "../../delivery/mailbox";
import type { Pending } from "../../delivery/pending";
import { storedMessage } from "../../delivery/stored-message";
import { asTenantError } from "../../node-red/texts";
import { newPlan, next, outcomeSoFar, restoredPlan } from "./escalation-plan";
import {
  changesNothing,
  comeAgain,
  type Incident,
  quietKey,
  removeIfQuiet,
  report,
  reportOf,
  resolveElsewhere,
} from "./incident";
import type { Command, Ending, Event, Plan } from "./plan";
import { type Failure, pendingOf, positionOf, type Resolution } from "./progress";

/** The time for which a failure waits until its end is stored, so that it is not delivered twice. Milliseconds. */
const STORE_WITHIN_MS = 1000;

/** The escalations of the node, whichever instance of it is there. */
export interface Owner {
  readonly nodeId: string;
  /** Resolves when no acknowledgement or end is being read: it may be of this escalation. */
  resolutionsRead(): Promise<unknown>;
  awaitResolution(reading: Promise<unknown>): void;
  changed(run: EscalationRun): void;
  ended(run: EscalationRun): void;
}

export interface Subject extends Pick<Incident, "key" | "startedAt"> {
  /** The name of its record. */
  readonly name: string;
  /** The first message. */
  readonly pending: Pending;
  /** The incident that another process has left. */
  readonly left?: Incident;
}

/** One incident while people are called: carries out what its plan commands. It outlives redeploys. */
export class EscalationRun {
  /** The run's clock minus `performance.now()`: a clock that is set meanwhile neither shortens nor prolongs a pause. */
  readonly #origin = Date.now() - performance.now();
  #plan: Plan;
  /** One for each person. */
  #requests: readonly Request[];
  /** The first message as the record keeps it. */
  #stored: Incident["kept"];
  readonly #events: Event[] = [];
  #isApplying = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #unfollow: () => void;
  #onEnded = () => {};
  #onRead = () => {};
  /** Resolves when its first message has been read, or has failed. */
  readonly read = new Promise<void>((resolve) => {
    this.#onRead = resolve;
  });
  /** Resolves when another incident of this key may begin. */
  readonly ended = new Promise<void>((resolve) => {
    this.#onEnded = resolve;
  });

  constructor(
    private readonly RED: NodeAPI,
    private readonly owner: Owner,
    readonly client: TenantClient,
    readonly subject: Subject,
  ) {
    const { left, pending } = subject;
    const [id, isShared] = [randomUUID(), client.lanes.isShared ?? true];
    this.#plan = left ? restoredPlan(left.progress, id, isShared, this.#now()) : newPlan(id, isShared);
    if (left) this.#onRead();
    this.#requests = left?.requests ?? [];
    this.#stored = left?.kept ?? { message: {}, left: [] };
    const look = (backlog: Backlog) => {
      const error = troubleOf(backlog);
      if (error?.code !== this.#plan.trouble?.code) this.apply({ type: "trouble", error });
    };
    const changed = () => void client.ask(look).catch(() => {});
    this.#unfollow = client.follow({ changed });
    changed();
    pending.work = (unfinished) => ({
      outcome: outcomeSoFar(this.#plan, unfinished?.isInFlight === false),
      isKept: this.#plan.record === "own" && this.#isDurable === true,
      summary: { key: subject.key, rung: this.#plan.progress.rung },
    });
  }

  /** The first message has been read. */
  start(event: Extract<Event, { type: "read" }>, requests: readonly Request[]): void {
    this.#requests = requests;
    if (this.#isDurable !== false) {
      const { json, left } = storedMessage(this.subject.pending.message);
      this.#stored = { message: JSON.parse(json), left };
    }
    this.apply(event);
    this.#onRead();
  }

  /** Applies events one after the other: those that arrive meanwhile wait. */
  apply(event: Event): void {
    this.#events.push(event);
    if (this.#isApplying) return;
    this.#isApplying = true;
    for (let one = this.#events.shift(); one; one = this.#events.shift()) {
      const { plan, commands } = next(this.#plan, one, this.#now());
      this.#plan = plan;
      if (plan.phase !== "running") clearTimeout(this.#timer);
      for (const command of commands) this.#carryOut(command);
    }
    this.#isApplying = false;
    if (this.#plan.phase !== "ended") this.owner.changed(this);
  }

  get position(): { readonly person: number; readonly people: number } | undefined {
    const { phase, progress } = this.#plan;
    return phase === "reading" ? undefined : { person: positionOf(progress), people: progress.people.length };
  }

  made(id: string): boolean {
    return this.#plan.progress.rung.some((call) => call.id === id);
  }

  get #isDurable(): boolean | undefined {
    return this.client.lanes.isDurable;
  }

  get resolution(): Resolution | null {
    return this.#plan.progress.resolution;
  }

  get hasPending(): boolean {
    return pendingOf(this.#plan.progress) !== undefined;
  }

  #carryOut(command: Command): void {
    switch (command.do) {
      case "save":
        return void this.#save(command.id);
      case "call":
        return void this.#call(command.id, command.person);
      case "withdraw":
        return void this.client.end({ entryId: command.id });
      case "recall":
        return void this.#recall(command.id);
      case "wake": {
        const ms = Math.ceil(command.at - this.#now());
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.apply({ type: "due" }), Math.min(Math.max(ms, 1), LONGEST_TIMER_MS));
        return;
      }
      case "removeRecord":
        return void this.client.ask(({ records }) => records.remove(this.subject.name));
      case "end":
        this.#end(command.ending);
    }
  }

  /** @param id the call attempt that follows, or `END`, if any: messages that are being read and may end it come first */
  async #save(id: string | null): Promise<void> {
    try {
      const { progress, record } = this.#plan;
      let isOwn = await this.#write();
      if (isOwn && record !== "own")
        isOwn = !(await removeIfQuiet(this.client, this.subject.name, progress.quietForMs));
      if (id !== null && isOwn) await this.owner.resolutionsRead();
      const { name, pending } = this.subject;
      if (isOwn || record === "own") pending.answer?.tell(waiting("acknowledgement", null, { changed: true }));
      else await comeAgain(this.client, name, pending);
      this.apply({ type: "saved", id, isOwn });
    } catch (error) {
      this.apply({ type: "saveFailed", id, error: asTenantError(error) });
    }
  }

  /** Resolves to whether the incident is this process' own. */
  #write(): Promise<boolean> {
    const { name, key, startedAt, pending } = this.subject;
    const { progress, record } = this.#plan;
    const incident: Incident = {
      nodeId: this.owner.nodeId,
      key,
      mode: pending.mode ?? "live",
      kept: this.#stored,
      requests: this.#requests,
      startedAt,
      progress,
    };
    return this.client.ask(({ records }) =>
      record === "own" ? records.update(name, incident) : records.create(name, incident),
    );
  }

  async #call(id: string, person: number): Promise<void> {
    const { pending } = this.subject;
    const job: Job = {
      id: String(pending.message._msgid),
      nodeId: this.owner.nodeId,
      action: pending.action,
      lane: "callOut",
      repeat: "never",
      anytime: true,
      urgent: true,
      alarm: true,
      entryId: id,
      record: this.subject.name,
      request: this.#requests[person] as Request,
    };
    const moved = (call: Call, from: Stage) => {
      if (areaOf(call) !== areaOf(call, from)) this.owner.changed(this);
    };
    const result = await new Promise<JobResult>((ended) => {
      pending.sending = { moved, ended };
      this.client.submit(job, pending.sending);
    });
    pending.sending = undefined;
    if (result.sentOn) this.apply({ type: "takenOver" });
    else this.apply({ type: "result", id, outcome: outcomeOf(result), error: result.ok ? undefined : result.error });
    result.reported?.();
  }

  /** Withdraws a call that another process has left, or learns its result. */
  async #recall(id: string): Promise<void> {
    if ((await this.client.end({ entryId: id })).cancelled > 0) return;
    // The backlog reports what it knows of the call before it stores the next change.
    await this.#write().catch(() => {});
    this.apply({ type: "notFound", id });
  }

  #end(ending: Ending): void {
    clearTimeout(this.#timer);
    this.#unfollow();
    this.owner.ended(this);
    const { name, pending } = this.subject;
    const { resolution, quietForMs } = this.#plan.progress;
    // The process that has the incident learns of what came here.
    if (ending.as === "elsewhere" && resolution)
      this.owner.awaitResolution(resolveElsewhere(this.client, name, resolution, quietForMs));
    this.#onRead();
    this.#onEnded();
    const isOwn = this.#plan.record === "own";
    const isQuiet = ending.as === "resolved" && resolution?.type === "acknowledged" && quietForMs > 0;
    const remove = async ({ records, keys }: Backlog) => {
      // Before the record, which keeps others from beginning the incident, is gone.
      if (isQuiet) await keys.keep(quietKey(name, quietForMs));
      if (isOwn) await records.remove(name);
    };
    const removed = isOwn || isQuiet ? this.client.ask(remove) : Promise.resolve();
    const mailbox = Mailbox.of(this.RED, this.owner.nodeId);
    if (ending.as === "resolved" || ending.as === "nobody") pending.answer?.tell(accepted({ changed: true }));
    const settle = () => mailbox.settle(pending, this.#resultOf(ending));
    // What was given up cannot wait for its store.
    const late = new Promise((resolve) => ending.as === "failed" && setTimeout(resolve, STORE_WITHIN_MS));
    if (this.#isDurable === false) settle();
    else void Promise.race([removed, late]).then(settle, settle);
  }

  #resultOf(ending: Ending): JobResult {
    if (ending.as === "elsewhere") return changesNothing();
    if (ending.as === "failed") return notBegun(this.#withOutcome(ending.error));
    const { progress } = this.#plan;
    const data = report(this.subject.key, this.subject.startedAt, progress, this.#now());
    const timings = { attempts: progress.rung.length, waitedMs: 0, elapsedMs: 0 };
    return { ok: true, status: 200, envelope: null, data, summary: {}, timings };
  }

  /** A failure has all calls, and their outcome together. */
  #withOutcome({ code, phase, details, key, params, sent, retryable }: Failure): TenantError {
    const facts =
      outcomeSoFar(this.#plan) === "unknown"
        ? ({ sent: "maybe", outcome: "unknown", retryable: false } as const)
        : ({ sent, outcome: "not-applied", retryable } as const);
    const rung = reportOf(this.#plan.progress);
    return new TenantError(code, phase, { ...details, rung, ...facts, key, params });
  }

  #now(): number {
    return this.#origin + performance.now();
  }
}
