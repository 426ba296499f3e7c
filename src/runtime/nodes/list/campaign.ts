import type { NodeAPI } from "node-red";
import {
  asTenantError,
  type Job,
  type JobResult,
  outcomeOf,
  type TenantClient,
  type TenantError,
} from "../../../client";
import { lost } from "../../../client/errors";
import { notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { publicReason } from "../../delivery/http-answer";
import { Pending } from "../../delivery/pending";
import { Progress } from "../../delivery/progress";
import { shared } from "../../node-red/catalogue";
import type { Tenant, UsableTenant } from "../../tenants/chosen-tenant";
import { type Caller, entryIdOf, rowOf } from "./caller";
import { Feed, PAUSE_MS, restOf } from "./feed";
import type { Ended, Judged, ListFile, StoppedBy, StoredList, Subject } from "./list-file";
import type { Look } from "./look";
import { Places } from "./places";
import { type RowReader, rowJob } from "./row-reader";
import { type RowDone, RowsDone } from "./rows-done";
import { FOR_THE_MOMENT } from "./settings";
import type { Called } from "./table";
import { Tally } from "./tally";

/** Rows of a list that are in the backlog, or in flight, at most. */
const MOST_FED = 200;
/** Rows that end without a call in one go. */
const AT_ONCE = 500;

/** A list whose rows are called: it has a few in the backlog at a time, and keeps how each has ended. */
export class Campaign {
  readonly tally: Tally;
  /** `undefined` until its rows were judged. */
  judged: Judged | undefined;
  /** The errors of rows that were refused when the list was judged, unless an earlier process did that. */
  refused: Look["refused"] = new Map();
  stoppedBy: StoppedBy | null = null;
  /** The problem whose end it waits for, besides what holds the tenant's call-outs. */
  waitsFor: TenantError | undefined;
  /** Whether it was left by a longer stop, and waits until somebody resumes. */
  isHeldBack = false;
  /** Whether it is known which of its rows were called. */
  isReady = true;
  /** Whether it is not called, because its tenant, or the journal of its calls, is another one now. */
  isKept = false;
  readonly #places: Places;
  readonly #done: RowsDone;
  readonly #feed: Feed;
  #isRestored = false;
  #caller: Caller | undefined;
  #client: TenantClient | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFeeding = false;

  /**
   * @param pending the message that brought it
   * @param file absent where the list is in memory only
   * @param share how many rows of each list of a tenant may be in its backlog
   * @param changed called when rows have ended
   */
  constructor(
    readonly RED: NodeAPI,
    readonly nodeId: string,
    readonly subject: Subject,
    readonly pending: Pending,
    readonly file: ListFile | undefined,
    private readonly share: (tenant: UsableTenant) => number,
    private readonly changed: (rows: readonly RowDone[]) => void,
  ) {
    this.tally = new Tally(subject);
    this.#places = new Places(subject.id);
    this.#feed = new Feed(this.tally.total, (index) => this.#isOpen(index));
    this.#done = new RowsDone(
      file,
      () => this.#isHeard,
      (rows) => this.#written(rows),
      (rows) => this.#client && this.#places.giveBack(rows, this.#client),
    );
    pending.work = () => ({ ...this.unfinished, isKept: file !== undefined });
  }

  get unfinished() {
    return this.tally.unfinished(this.#feed.inFlight);
  }

  /** Whether the node is there, and the flows run: what is sent now arrives. */
  get #isHeard(): boolean {
    return this.#caller !== undefined && flows.running;
  }

  get called(): Called {
    return { ...this.subject.list, results: this.tally.results };
  }

  /** Takes over what an earlier process has written down. It goes on once it is known which rows are still in the backlog. */
  restore({ lines }: StoredList): void {
    this.#isRestored = true;
    this.isReady = false;
    const untold = new Map<number, Ended>();
    for (const line of lines) {
      if ("row" in line && line.untold) untold.set(line.row, line.ended);
      else if ("row" in line) this.tally.count(line.row, line.ended);
      else if ("judged" in line) this.judged = line.judged;
      else if ("stopped" in line) this.stoppedBy = line.stopped;
      else if ("heldBack" in line) this.isHeldBack = line.heldBack;
    }
    for (const [index, ended] of untold) {
      const result = { ...notBegun(lost()), restored: { at: ended[3], left: [] } };
      if (this.#isOpen(index)) this.#done.add({ index, result, ended });
    }
  }

  /** Goes on with what an earlier process has left. @param inBacklog the ids of the rows that it left there */
  goOn(inBacklog: readonly string[]): void {
    for (const { index } of inBacklog.map(rowOf))
      if (this.#isOpen(index) && !this.#feed.hasWaited(index)) this.#feed.begin(index);
    this.isReady = true;
    this.isKept = false;
    if (this.stoppedBy) void this.#endFed();
    this.feed();
    // All may have ended, without a table yet.
    this.changed([]);
  }

  /** Calls the rows that can be called, when all were judged. */
  begin({ refused, good, withoutZero }: Look): void {
    this.judged = { good, withoutZero: withoutZero.length };
    this.refused = refused;
    // A row that is in the backlog was not refused: only its own key makes it a duplicate.
    for (const [index, error] of refused) if (!this.#feed.has(index)) this.onResult(index, notBegun(error));
    this.#done.add({ judged: this.judged });
    this.feed();
  }

  /** Serves this instance of the node; `undefined`: none is there. */
  serve(caller: Caller | undefined): void {
    const { tenant } = caller ?? {};
    if (this.isOf(tenant)) this.#client = tenant.client;
    else if (this.#client && this.isReady && tenant && !tenant.problem) void this.endRest("tenant");
    this.#caller = caller;
    // What was wrong may be right.
    this.#feed.goOn();
    this.#done.plan();
    this.feed();
  }

  /** Whether a tenant may call it: a deploy may have given the node another one, or the tenant another target. */
  isOf(tenant: Tenant | undefined): tenant is UsableTenant {
    const { subject } = this;
    return tenant?.problem === undefined && tenant?.id === subject.tenant && tenant.key === subject.target;
  }

  /** Writes down what has ended, because Node-RED stops. */
  stop(): void {
    clearTimeout(this.#timer);
    this.file?.rest();
    this.#done.stop();
  }

  /** Lets no further row begin. Resolves to how many had not begun. */
  async endRest(by: StoppedBy): Promise<number> {
    if (this.stoppedBy || this.tally.isOver || this.isKept) return 0;
    this.stoppedBy = by;
    this.#done.note({ stopped: by });
    const unfed = this.tally.total - this.tally.ended - this.#done.count - this.#feed.size;
    const ended = await this.#endFed();
    this.feed();
    return unfed + ended;
  }

  /** Ends the rows that wait in the backlog. Resolves to how many. */
  async #endFed(): Promise<number> {
    return (await this.#client?.end({ list: this.subject.id }).catch(() => undefined))?.cancelled ?? 0;
  }

  /** @param isHeldBack whether it waits until somebody resumes */
  holdBack(isHeldBack: boolean): void {
    if (this.isHeldBack === isHeldBack) return;
    this.isHeldBack = isHeldBack;
    this.#done.note({ heldBack: isHeldBack });
    this.feed();
  }

  /** Lets rows begin that may. Not reentrant: rows may end while they are read. */
  feed(): void {
    if (this.#isFeeding || !this.#isHeard || !this.isReady || this.tally.isOver || this.pending.recorded) return;
    clearTimeout(this.#timer);
    this.#isFeeding = true;
    const rest = this.stoppedBy && restOf(this.stoppedBy);
    let ended = 0;
    while (ended < AT_ONCE) {
      const index = rest || this.#mayFeed() ? this.#feed.next() : undefined;
      if (index === undefined) break;
      if (!rest) void this.#call(index);
      else {
        this.onResult(index, notBegun(rest));
        ended += 1;
      }
    }
    this.#isFeeding = false;
    if (ended === AT_ONCE) setImmediate(() => this.feed());
    else if (this.waitsFor || this.#feed.pauses) this.#timer = setTimeout(() => this.feed(), PAUSE_MS).unref();
    this.#caller?.show();
  }

  #mayFeed(): boolean {
    const { tenant, problem, rows } = this.#caller as Caller;
    if (!this.judged || this.isHeldBack || this.#feed.pauses) return false;
    this.waitsFor = this.#done.problem ?? tenant.problem ?? problem;
    if (this.waitsFor || !rows || !this.isOf(tenant)) return false;
    const { reason, failure, refusal } = tenant.client.lanes;
    // Only a call that waits lets the service be asked whether trouble is over, and only a new one a backlog that failed.
    const most = (failure ?? reason) === undefined ? Math.min(MOST_FED, this.share(tenant)) : 1;
    return refusal === undefined && this.#feed.size < most;
  }

  async #call(index: number): Promise<void> {
    this.#feed.begin(index);
    const { node, tenant, rows } = this.#caller as Caller;
    const { client, mode } = tenant as UsableTenant;
    try {
      const row: unknown = JSON.parse(this.subject.list.rows[index] ?? "null");
      const call = await (rows as RowReader).read({ payload: row, row });
      if ((this.#isRestored || this.#feed.hasWaited(index)) && (await this.#wasCalled(index, client))) return;
      if (this.stoppedBy) throw restOf(this.stoppedBy);
      const place = { list: this.subject.id, index: index + 1, total: this.tally.total };
      // If nobody learns how it ends, it may be called again by this.
      const message = { _msgid: this.RED.util.generateId(), payload: row, row, list: place };
      const { keys, ...own } = rowJob(node, message._msgid, call);
      const job: Job = {
        ...own,
        list: this.subject.id,
        entryId: entryIdOf(this.subject.id, index),
        ...(mode === "log" ? { loggedData: null } : { keys: [...this.#places.keysOf(index, client), ...keys] }),
      };
      const pending = new Pending(message, node.type, mode, node);
      this.#feed.begin(index, pending);
      Progress.of(this.RED, node.id).start(client, job, pending, (result) => this.onResult(index, result));
    } catch (error) {
      this.onResult(index, notBegun(asTenantError(error)));
    }
  }

  /** Whether another process has called the row, or has it: then its end is known, or it waits again. */
  async #wasCalled(index: number, client: TenantClient): Promise<boolean> {
    const outcome = await this.#places.outcomeOf(index, client);
    if (outcome === undefined) return false;
    if (outcome === "pending") this.#waitAgain(index);
    else if (outcome === "unknown") this.onResult(index, notBegun(lost()));
    else this.onForgotten(index);
    return true;
  }

  /** A row was called, and a crash came before its end was written down. */
  onForgotten(index: number, reported?: () => void): void {
    this.onResult(index, { ...notBegun(lost()), ...(reported && { reported }) }, "");
  }

  /** A row has ended, or waits again. */
  onResult(index: number, result: JobResult, code = result.ok ? "" : result.error.code): void {
    this.#feed.end(index);
    const error = result.ok ? undefined : result.error;
    const isMoment = error?.outcome === "not-applied" && FOR_THE_MOMENT.has(error.code);
    // Whatever Node-RED has not begun when it stops, the next process feeds again.
    if (flows.stopping && error?.outcome === "not-applied") return;
    if (!this.#isOpen(index)) {
      result.reported?.();
      this.feed();
    } else if (isMoment && !this.stoppedBy) {
      result.reported?.();
      this.waitsFor = error;
      this.#waitAgain(index);
    } else {
      const isStopped = code === "ERR_DROPPED" && this.stoppedBy !== null;
      const why = isStopped ? shared(this.RED, "callList.stopped") : error && publicReason(this.RED, error).message;
      const at = this.#caller?.now() ?? new Date().toISOString();
      this.#done.add({ index, result, ended: [outcomeOf(result), code, why ?? "", at] });
    }
  }

  #isOpen(index: number): boolean {
    return index < this.tally.total && !this.tally.results[index] && !this.#done.has(index);
  }

  #waitAgain(index: number): void {
    this.#feed.waitAgain(index);
    this.feed();
  }

  #written(rows: readonly RowDone[]): void {
    for (const { index, ended } of rows) this.tally.count(index, ended);
    if (this.#isHeard) this.#caller?.sendRows(this.subject, rows);
    this.changed(rows);
    this.feed();
  }
}
