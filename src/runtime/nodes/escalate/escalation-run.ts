import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { NodeAPI } from "node-red";
import {
  type Job,
  type JobResult,
  notSent,
  type Outcome,
  outcomeOf,
  type Request,
  type TenantClient,
  TenantError,
} from "../../../tenant";
import { notBegun } from "../../delivery/failure";
import { keptMessage } from "../../delivery/kept-message";
import { Mailbox } from "../../delivery/mailbox";
import type { Pending, Receiver } from "../../delivery/pending";
import { asTenantError } from "../../node-red/texts";
import { type Called, Ladder, mayHaveRung, type Progress } from "./escalation-plan";
import { type Incident, report } from "./incident";

/** Failures that another number would meet, too, or that an operator wants. */
const FATAL = ["ERR_CONFIG", "ERR_AUTH", "ERR_DROPPED"];
/** How long the end of a ladder is held back until it is stored, so that it is not told twice. Milliseconds. */
const STORE_WITHIN_MS = 1000;
const LONGEST_TIMER = 2 ** 31 - 1;

/** The node of a ladder, whichever instance of it is there. */
export interface Seat {
  readonly nodeId: string;
  /** Whether the node is there. Ladders wait otherwise. */
  readonly isTaken: boolean;
  /** Resolves when no acknowledgement is being read: it may be this ladder's. */
  read(): Promise<unknown>;
  changed(ladder: RunningLadder): void;
  ended(ladder: RunningLadder): void;
}

/** What is to be called. */
export interface Plan {
  readonly people: readonly Called[];
  /** One for each person. */
  readonly requests: readonly Request[];
  readonly ringForMs: number;
  readonly rounds: number;
}

/** The result of a ladder for its node. */
export interface Ending {
  readonly acknowledged: boolean;
  readonly payload: object;
}

/** One incident while people are called. It outlives redeploys, and with a durable backlog the process. */
export class RunningLadder {
  readonly name: string;
  readonly key: string;
  readonly client: TenantClient;
  readonly #RED: NodeAPI;
  readonly #seat: Seat;
  readonly #pending: Pending;
  readonly #startedAt: number;
  /** The ladder's clock minus `performance.now()`: a clock that is set meanwhile neither shortens nor prolongs a pause. */
  readonly #origin = Date.now() - performance.now();
  #ladder: Ladder | undefined;
  #requests: readonly Request[] = [];
  #kept: Incident["kept"] = { message: {}, left: [] };
  #acknowledgedBy: string | true | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRecorded = false;
  /** The record is being written before a call. */
  #isCalling = false;
  /** It was taken back, because nobody knew whether it had begun. */
  #recalled: string | undefined;
  /** It ends with this failure as soon as the outcome of its pending call is known. */
  #failure: TenantError | undefined;
  /** What has changed is not stored yet. */
  #isDirty = true;
  #isOver = false;
  #isStopped = false;

  /** @param pending the first message */
  constructor(
    RED: NodeAPI,
    seat: Seat,
    client: TenantClient,
    of: { readonly name: string; readonly key: string; readonly pending: Pending; readonly startedAt?: number },
  ) {
    this.#RED = RED;
    this.#seat = seat;
    this.client = client;
    this.name = of.name;
    this.key = of.key;
    this.#pending = of.pending;
    this.#startedAt = of.startedAt ?? Date.now();
    this.#pending.work = (unfinished) => ({
      outcome: this.#outcome(unfinished?.isInFlight === false),
      isKept: this.#isKept,
      summary: { key: this.key, rung: this.#ladder?.progress.rung ?? [] },
    });
  }

  /** Begins to call. */
  start({ people, requests, ringForMs, rounds }: Plan): void {
    if (this.#isOver) return;
    this.#requests = requests;
    if (this.client.engine !== "memory") {
      const { message, left } = keptMessage(this.#pending.message);
      this.#kept = { message, left };
    }
    this.#ladder = Ladder.begin(people, ringForMs, rounds);
    if (this.#acknowledgedBy !== undefined) this.#ladder.acknowledge(this.#acknowledgedBy);
    this.advance();
  }

  /**
   * Goes on with what an earlier process has left.
   * @param told the outcome of the pending call, if it was told already
   */
  async revive({ requests, kept, progress }: Incident, told: (id: string) => Told | undefined): Promise<void> {
    this.#requests = requests;
    this.#kept = kept;
    this.#isRecorded = true;
    const ladder = Ladder.resume(progress, this.#now());
    this.#ladder = ladder;
    const id = ladder.pending?.id;
    const known = id === undefined ? undefined : told(id);
    if (id === undefined) this.advance();
    else if (known) this.told(id, known.outcome, known.error);
    else await this.#recall(id);
  }

  /** Finds out what became of a call that an earlier process has left: if it waits, the person is called anew. */
  async #recall(id: string): Promise<void> {
    this.#recalled = id;
    this.#seat.changed(this);
    if (await this.client.withdraw(id)) return;
    // What the backlog tells of it is told before the next change is stored.
    await this.#save().catch(() => {});
    if (this.#ladder?.pending?.id === id) this.told(id, "unknown");
  }

  get position(): { readonly person: number; readonly people: number } | undefined {
    const ladder = this.#ladder;
    return ladder && { person: ladder.position, people: ladder.progress.people.length };
  }

  /** Whether it has made a call. */
  made(id: string): boolean {
    return this.#ladder?.progress.rung.some((call) => call.id === id) ?? false;
  }

  get hasPending(): boolean {
    return this.#ladder?.pending !== undefined;
  }

  /** No call leaves from now on. */
  acknowledge(by: string | true): void {
    this.#acknowledgedBy ??= by;
    const ladder = this.#ladder;
    if (!ladder || this.#isOver) return;
    ladder.acknowledge(by);
    this.#isDirty = true;
    const { pending } = ladder;
    if (pending) void this.client.withdraw(pending.id);
    this.#store();
    this.advance();
  }

  /** The outcome of a call. It may be told more than once. */
  told(id: string, outcome: Outcome, error?: TenantError): void {
    const ladder = this.#ladder;
    if (!ladder || this.#isOver) return;
    const isPending = ladder.pending?.id === id;
    const isOurs = ladder.isAcknowledged || this.#failure !== undefined || this.#recalled === id || this.#isStopped;
    if (isPending && error?.code === "ERR_DROPPED" && isOurs) ladder.takeBack(id);
    else ladder.ended(id, outcome, this.#now(), outcome === "unknown" && error?.details.sentAt === undefined);
    this.#isDirty = true;
    if (isPending && error && FATAL.includes(error.code) && !isOurs) this.#failure = error;
    if (this.#isStopped) this.#store();
    else if (isPending) this.advance();
  }

  /** Does what is due. */
  advance(): void {
    clearTimeout(this.#timer);
    const ladder = this.#ladder;
    if (!ladder || this.#isOver || this.#isStopped || this.#isCalling) return;
    if (this.#failure && !ladder.pending) {
      this.#fail(this.#failure);
      return;
    }
    const step = ladder.step(this.#now());
    this.#seat.changed(this);
    if (step.do === "end") void this.#endOwn(step.acknowledged);
    else if (step.do === "wait") {
      const ms = Math.ceil(step.until - this.#now());
      this.#timer = setTimeout(() => this.advance(), Math.min(Math.max(ms, 1), LONGEST_TIMER));
      this.#store();
    } else if (step.do === "call" && this.#seat.isTaken) void this.#call(step.person);
  }

  /** Never rejects. A call is recorded before it may leave, so that no later process makes it again. */
  async #call(person: number): Promise<void> {
    const ladder = this.#ladder as Ladder;
    const id = randomUUID();
    ladder.call(id, this.#now());
    this.#isDirty = true;
    this.#isCalling = true;
    try {
      if (!(await this.#save())) {
        this.#leave();
        return;
      }
      await this.#seat.read();
    } catch (error) {
      this.#isCalling = false;
      const problem = asTenantError(error);
      // Without a record, a second Node-RED could run the same incident.
      if (!this.#isRecorded) this.#failure = problem;
      this.told(id, problem.outcome, problem);
      return;
    }
    this.#isCalling = false;
    if (ladder.isAcknowledged || this.#failure || this.#isStopped) {
      ladder.takeBack(id);
      this.#isDirty = true;
      // What is called unfinished must not go on after the next start.
      if (this.#isStopped && this.#pending.recorded) void this.client.records.remove(this.name);
      else if (this.#isStopped) this.#store();
      this.advance();
      return;
    }
    const { nodeId } = this.#seat;
    const job: Job = {
      id: String(this.#pending.message._msgid),
      nodeId,
      action: this.#pending.action,
      lane: "callOut",
      repeat: "never",
      anytime: true,
      entryId: id,
      request: this.#requests[person] as Request,
    };
    this.#pending.job = job;
    const changed = () => this.#seat.changed(this);
    const result = await this.client.send(job, { onQueued: changed, onStart: changed });
    this.#pending.job = undefined;
    if (result.sentOn) this.#leave();
    else this.told(id, outcomeOf(result), result.ok ? undefined : result.error);
  }

  /** Stores what has changed. Without it, the next process knows less, but calls nobody twice. */
  #store(): void {
    if (this.#isDirty && this.#isRecorded) void this.#save().catch(() => {});
  }

  /** Resolves to whether the incident is this process' own. */
  async #save(): Promise<boolean> {
    const { records } = this.client;
    this.#isDirty = false;
    if (this.#isRecorded) return records.update(this.name, this.#incident());
    const created = await records.create(this.name, this.#incident());
    this.#isRecorded ||= created;
    return created;
  }

  #incident(): Incident {
    return {
      nodeId: this.#seat.nodeId,
      key: this.key,
      mode: this.#pending.mode ?? "live",
      kept: this.#kept,
      requests: this.#requests,
      startedAt: this.#startedAt,
      progress: structuredClone((this.#ladder as Ladder).progress) as Progress,
    };
  }

  /** Ends without a call to anybody else, once it is known what became of the last one. */
  fail(error: TenantError): void {
    if (this.#isOver) return;
    this.#failure ??= error;
    const id = this.#ladder?.pending?.id;
    if (!this.#ladder) this.#fail(error);
    else if (id !== undefined && !this.#isCalling) void this.client.withdraw(id);
    else this.advance();
  }

  #fail({ code, phase, details, key, params, sent, outcome, retryable }: TenantError): void {
    const facts = this.#ladder?.hasRung
      ? ({ sent: "maybe", outcome: "unknown", retryable: false } as const)
      : { sent, outcome, retryable };
    this.#settle(notBegun(new TenantError(code, phase, { ...details, ...facts, key, params })));
  }

  /** Acknowledged before its first call, it may be another instance's: nobody has asked yet. */
  async #endOwn(acknowledged: boolean): Promise<void> {
    const isAsked = this.#isRecorded || this.client.engine !== "redis";
    this.#isCalling = !isAsked;
    if (isAsked || (await this.#save().catch(() => true))) this.#end(acknowledged);
    else this.#leave();
  }

  #end(acknowledged: boolean): void {
    const { progress } = this.#ladder as Ladder;
    const payload = report(this.key, this.#startedAt, progress, this.#now());
    const timings = { attempts: progress.rung.length, waitedMs: 0, elapsedMs: 0 };
    const data: Ending = { acknowledged, payload };
    this.#settle({ ok: true, status: 200, envelope: null, data, summary: {}, timings });
  }

  /** Another process has the incident, and tells its end. It learns of an acknowledgement that came here. */
  #leave(): void {
    this.#isRecorded = false;
    const acknowledgedBy = this.#acknowledgedBy;
    if (acknowledgedBy !== undefined) void this.client.records.note(this.name, { acknowledgedBy }).catch(() => {});
    this.#settle(changesNothing());
  }

  #settle(result: JobResult): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#seat.ended(this);
    const removed = this.#isRecorded ? this.client.records.remove(this.name) : Promise.resolve();
    const mailbox = Mailbox.of(this.#RED, this.#seat.nodeId);
    const settle = () => mailbox.settle(this.#pending, { ...result, mode: this.#pending.mode });
    if (this.client.engine === "memory") settle();
    else void Promise.race([removed, new Promise((late) => setTimeout(late, STORE_WITHIN_MS))]).then(settle, settle);
  }

  /** Node-RED stops: nobody is called any more. What becomes known is still stored. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Whether the next process goes on with it. */
  get #isKept(): boolean {
    return this.#isRecorded && !this.#isOver && ["file", "redis"].includes(this.client.engine);
  }

  /** @param isWaiting the pending call has not left, and will not */
  #outcome(isWaiting: boolean): Outcome {
    const { rung = [] } = this.#ladder?.progress ?? {};
    return rung.some((call) => mayHaveRung(call) && !(isWaiting && call.outcome === "pending"))
      ? "unknown"
      : "not-applied";
  }

  #now(): number {
    return this.#origin + performance.now();
  }
}

/** The outcome of a call. */
export interface Told {
  readonly outcome: Outcome;
  readonly error: TenantError | undefined;
}

/** The result of a message that is sent to no output. */
export function changesNothing(): JobResult {
  const timings = { attempts: 0, waitedMs: 0, elapsedMs: 0 };
  return { ok: true, status: 200, envelope: null, data: null, summary: {}, timings, sentOn: true };
}

/** The target of an incident is no longer the tenant's. */
export function tenantChanged(): TenantError {
  return notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" });
}

/** The node of a message that an earlier process has accepted. */
export const NOBODY: Receiver = { receive: () => {} };
