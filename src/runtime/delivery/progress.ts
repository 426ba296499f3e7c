import type { NodeAPI, NodeMessage } from "node-red";
import { type Exempt, Heap } from "../../backlog";
import { AT_REST, areaOf, type Call, type Stage } from "../../backlog/call";
import { dropped, holdsOf, type Job, type JobResult, type Lanes, type Owner, type TenantClient } from "../../client";
import { perNode } from "../node-red/node-state";
import type { StatusLine, Waiting } from "../node-red/status";
import type { OfRequest, OpenAnswer } from "./answers";
import { Mailbox } from "./mailbox";
import { Pending } from "./pending";
import { type KeptMessage, keptMessage } from "./restore-handler";
import { connectionOf, flat, storedMessage } from "./stored-message";

const progresses = perNode<Progress>("progress");

/** The area of a request before it has ended. */
type Area = NonNullable<ReturnType<typeof areaOf>>;

/** A request of a message, which owns its call. No closures: a hundred thousand may wait for their dates. */
class Sending implements Owner, OfRequest {
  readonly action: string;
  readonly isRead: boolean;
  /** Epoch milliseconds. */
  readonly notBefore: number;
  /** Among the dated ones. */
  slot = -1;
  /** Once it has moved. */
  call: Call | undefined;
  readonly answer: OpenAnswer | undefined;
  /** Whether the backlog has all of the message. */
  #isStored = false;
  /** Absent once the message is only in the backlog. */
  #pending: Pending | undefined;
  /** Of a message that is only in the backlog: a node behind may answer it while this process runs. */
  #connection: object | undefined;

  /** @param part called with the result, if the message does not end with it */
  constructor(
    readonly progress: Progress,
    { action, request, notBefore = 0 }: Job,
    pending: Pending,
    readonly part?: (result: JobResult) => void,
  ) {
    this.action = action;
    this.isRead = request.method === "GET";
    this.notBefore = notBefore;
    this.answer = pending.answer;
    this.#pending = pending;
  }

  keep(): { readonly kept: string; readonly size: number } {
    const { message: given, mode } = this.#pending as Pending;
    const { json, left, size, isExact } = storedMessage(given);
    this.#isStored = isExact && !this.part;
    if (this.#isStored && left.length > 0) this.#connection = connectionOf(given);
    const rest = left.length > 0 ? `,"left":${JSON.stringify(left)}` : "";
    return { kept: flat('{"message":{"message":', json, rest, '},"mode":', JSON.stringify(mode), "}"), size };
  }

  moved(call: Call, from: Stage): void {
    this.call = call;
    if (this.#pending?.again && call.isAccepted) {
      this.#pending.again.accepted();
      this.#pending.again = undefined;
    }
    // What ends was counted out before.
    if (from !== "ending" || call.stage !== "ended") this.progress.moved(this, areaOf(call, from), areaOf(call));
    this.answer?.moved(call);
    // Nothing is in memory twice.
    if (!this.#isStored || !this.#pending || !AT_REST.has(call.stage)) return;
    this.progress.mailbox.untrack(this.#pending);
    this.answer?.messages.delete(this.#pending);
    this.answer?.messages.add(this);
    this.#pending = undefined;
  }

  get kept(): boolean {
    const area = this.call && areaOf(this.call);
    return area === "dated" || area === "waiting";
  }

  get recorded(): undefined {
    return undefined;
  }

  get isRepeatable(): boolean {
    return this.call?.entry.name !== undefined;
  }

  ended(result: JobResult, kept: unknown): void {
    // The caller, e.g. a loop over all waiting jobs, must not be interrupted by what the flow does with the result.
    queueMicrotask(() => {
      const again = this.#pending?.again;
      if (this.#pending && again && !result.ok) {
        this.progress.mailbox.untrack(this.#pending);
        again.refused(result.error);
      } else if (this.part) this.part(result);
      else if (this.#pending) this.progress.mailbox.settle(this.#pending, result);
      else if (!result.sentOn) this.#settleStored(keptMessage(kept), result);
    });
  }

  #settleStored({ message: { message }, mode }: KeptMessage, result: JobResult): void {
    const own = Object.assign(message as NodeMessage, this.#connection);
    this.answer?.messages.delete(this);
    const pending = new Pending(own, this.action, mode, "stored", undefined, this.answer);
    this.progress.mailbox.settle(pending, result);
  }
}

/** Counts a node's waiting and in-flight requests, and shows them on the current instance of the node. */
export class Progress {
  readonly #RED: NodeAPI;
  readonly #id: string;
  #status: StatusLine | undefined;
  #client: Pick<TenantClient, "lanes"> | undefined;
  #exempt: Exempt = {};
  #wasHindered = false;
  readonly #counts: Record<Area, number> = { dated: 0, waiting: 0, inFlight: 0 };
  readonly #dated = new Heap<Sending>((a, b) => a.notBefore - b.notBefore);
  /** The last page of a list that was read, and the number of pages. */
  #page: { readonly page: number; readonly pages: number } | undefined;

  private constructor(RED: NodeAPI, id: string) {
    this.#RED = RED;
    this.#id = id;
  }

  static of(RED: NodeAPI, id: string): Progress {
    return progresses.of(id, () => new Progress(RED, id));
  }

  get mailbox(): Mailbox {
    return Mailbox.of(this.#RED, this.#id);
  }

  /**
   * Shows on a new instance of the node from now on.
   * @param client holds the node's messages, if they are call-outs
   * @param exempt from some of what holds calls
   */
  showOn(status: StatusLine, client: Pick<TenantClient, "lanes"> | undefined, exempt: Exempt = {}): void {
    this.#status = status;
    this.#client = client;
    this.#exempt = exempt;
  }

  /** Shows what a predecessor left waiting, if anything. */
  rest(): void {
    if (!this.#renew()) this.#status?.rest();
  }

  /** Shows that a pause, a hold or the backlog's failure has begun or ended. */
  holdChanged(): void {
    const wasHindered = this.#wasHindered;
    const hold = this.#client?.lanes;
    this.#wasHindered = this.#isHindered(hold);
    if (!this.#renew(hold) && wasHindered) this.#status?.rest();
  }

  /** An instance of the node closes, perhaps after its successor has begun. */
  leave(status: StatusLine): void {
    if (this.#status === status) this.#status = undefined;
    this.#forget();
  }

  /**
   * Sends a request of a message, and counts it until it ends.
   * @param part called with the result; without it, the message ends with the request
   * @throws TenantError ERR_DROPPED once Node-RED has stopped
   */
  start(client: TenantClient, job: Job, pending: Pending, part?: (result: JobResult) => void): void {
    if (pending.recorded) throw dropped();
    pending.sending = new Sending(this, job, pending, part);
    pending.answer?.follow(job, client);
    if (job.deduplication) pending.isRepeatable = true;
    client.submit(job, pending.sending);
  }

  /** A request is elsewhere now; `undefined`: not counted yet, or any more. */
  moved(sending: Sending, from: Area | undefined, to: Area | undefined): void {
    if (from === to) return;
    if (from) this.#counts[from] -= 1;
    if (from === "dated") this.#dated.remove(sending);
    if (!to) {
      this.#forget();
      return;
    }
    this.#counts[to] += 1;
    if (to === "dated") this.#dated.add(sending);
    this.#renew();
  }

  page(page: number, pages: number): void {
    this.#page = { page, pages };
  }

  /** Shows a message's result, unless others are waiting or in flight. */
  ended(result: JobResult): void {
    this.#page = undefined;
    const hold = this.#client?.lanes;
    const isBusy = this.#count > this.#counts.dated || this.#isHindered(hold);
    // A refused message is shown also while others wait for their date, until one of them or another message changes that.
    const isRefused = !result.ok && result.error.code !== "ERR_CANCELLED";
    if (isBusy || (this.#isDated(hold) && !isRefused)) this.#renew(hold);
    else if (result.ok) this.#status?.succeeded(result.mode, result.onlyRead);
    else this.#status?.failed(result.error, result.mode);
  }

  /** Shows what is waiting or in flight. Returns whether anything is. */
  #renew(hold = this.#client?.lanes): boolean {
    const [isWaiting, isInFlight] = [this.#counts.waiting > 0, this.#counts.inFlight > 0];
    if (hold?.failure !== undefined) this.#status?.show("red", "ring", "noBacklog");
    else if (isWaiting || this.#isHindered(hold)) this.#status?.waiting(this.#all(hold), hold, false, this.#exempt);
    else if (isInFlight && this.#page) this.#status?.show("blue", "dot", "page", this.#page);
    else if (isInFlight) this.#status?.show("blue", "dot", "sending");
    else if (this.#isDated(hold)) this.#status?.waiting(this.#all(hold), hold, false, this.#exempt);
    else return false;
    return true;
  }

  /** Whether the backlog fails, trouble holds calls, calling hours cannot be read, or calls from before the last start are kept. */
  #isHindered(hold: Lanes | undefined): boolean {
    const { failure, reason, restored = 0, heldBack = 0, callingHours } = hold ?? {};
    if ((failure ?? reason) !== undefined || heldBack > 0) return true;
    if (!hold || (restored === 0 && !callingHours?.problem)) return false;
    const holds = holdsOf(hold, this.#exempt);
    return restored > 0 ? holds.size > 0 : holds.has("hours");
  }

  /** The node's own waiting messages, or those of the tenant that were accepted before the last start. */
  #all(hold: Lanes | undefined): Waiting {
    const { dated: ofTenant = 0, restored = 0, heldBack = 0 } = hold ?? {};
    const { dated: own, waiting } = this.#counts;
    const isOwn = own > 0 || restored === 0;
    const dated = isOwn ? own : ofTenant;
    const nextDate = () => (isOwn ? this.#dated.first?.notBefore : hold?.nextDate);
    return { count: waiting + dated, dated, nextDate, heldBack };
  }

  /** Whether calls wait for their date, the node's own or those from before the last start. */
  #isDated(hold: Lanes | undefined): boolean {
    const { dated = 0, restored = 0 } = hold ?? {};
    return this.#counts.dated > 0 || (restored > 0 && dated > 0);
  }

  get #count(): number {
    const { dated, waiting, inFlight } = this.#counts;
    return dated + waiting + inFlight;
  }

  #forget(): void {
    if (!this.#status && this.#count === 0) progresses.delete(this.#id);
  }
}
