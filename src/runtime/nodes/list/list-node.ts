import { basename } from "node:path";
import type { Node, NodeAPI, NodeMessage } from "node-red";
import { dropped, type JobResult, momentText, outcomeOf, TenantError } from "../../../client";
import { engineFailure } from "../../../client/errors";
import { type Config, pairOf, type Reader, reader, toBoolean, ValueError } from "../../../fields";
import { any } from "../../../fields/field";
import { checkSettings } from "../../../fields/setting";
import { hostZone, instantFormatter } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { wallTime } from "../../../hours/moment";
import { attempt } from "../../../json/rules";
import { joined } from "../../../texts/catalogue";
import { answerOf } from "../../delivery/answers";
import { failure } from "../../delivery/failure";
import { accepted, waiting } from "../../delivery/http-answer";
import type { Answer, Done, Pending, Send } from "../../delivery/pending";
import { Progress } from "../../delivery/progress";
import { serverTexts, shared } from "../../node-red/catalogue";
import { areHeld, StatusLine } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { chosenTenant, type UsableTenant, usable } from "../../tenants/chosen-tenant";
import { endOf, type OpenMessage } from "../action/outgoing";
import { TelephonyNode } from "../telephony-node";
import type { Caller } from "./caller";
import type { Campaign } from "./campaign";
import { type Ended, ListFile, listFolder, type Subject } from "./list-file";
import { Lists } from "./lists";
import { assertKeys, type Look, look } from "./look";
import { columnsOf, type List, readList } from "./reading/read-list";
import { RowReader, rowJob } from "./row-reader";
import type { RowDone } from "./rows-done";
import { LIST_SETTINGS, LIST_SOURCE, type ListCaller, NUMBER_SOURCE } from "./settings";
import { lastBegin, resultOf, summaryOf } from "./summary";
import { tableRow } from "./table";
import type { Tally } from "./tally";

export function listNode(...args: ConstructorParameters<typeof ListNode>): void {
  const [, node] = args;
  Object.assign(node, { lists: new ListNode(...args) });
}

/** Rows that a warning names. */
const NAMED_ROWS = 10;

export class ListNode extends TelephonyNode implements Caller {
  readonly rows: RowReader | undefined;
  readonly #settings: ReturnType<typeof checkSettings<typeof LIST_SETTINGS>> | undefined;
  readonly #list: Reader<{ readonly list: ReturnType<typeof any> }>;
  readonly #lists: Lists;
  readonly #config: Config;
  readonly #formatter = memoizeLast(() => instantFormatter(this.tenant.settings?.timezone || hostZone()));

  constructor(RED: NodeAPI, node: Node, config: Config, { type, effect, shape }: ListCaller) {
    const tenant = chosenTenant(RED, config, node);
    super(RED, node, tenant, { type, effect, shape }, new StatusLine(RED, node, tenant));
    this.#config = { ...LIST_SOURCE, ...NUMBER_SOURCE, ...config };
    const host = { ...this.host(), columns: true as const };
    this.#list = reader({ list: any() }, this.#config, host);
    this.#settings = this.read(() => checkSettings(LIST_SETTINGS, config));
    this.rows = this.read(() => {
      if (this.#list.problem) throw this.#list.problem;
      const { onceFor = 0 } = this.#settings ?? {};
      const { settings } = tenant;
      return settings && new RowReader(node.id, this.#config, shape, host, settings, onceFor * 1000);
    });
    this.#lists = Lists.of(RED, node.id);
    this.open();
    if (!this.problem) this.status.rest();
    this.#lists.attach(this);
  }

  protected override closed(): void {
    this.#lists.detach(this);
  }

  /** The time, ISO 8601 in the tenant's zone. */
  now(): string {
    return this.#formatter()(Date.now());
  }

  protected override input(message: NodeMessage, send: Send, done: Done): void {
    if (!isStop(message)) super.input(message, send, done);
    else
      void this.#lists.end("message").then((stopped) => {
        answerOf(message)?.tell(accepted({ stopped }));
        this.deliver(message, "applied", done);
      });
  }

  protected override async begin(pending: Pending): Promise<JobResult | undefined> {
    if (this.problem) throw this.problem;
    const tenant = usable(this.tenant);
    const [{ message }, { stops, requests }] = [pending, this.#lists];
    if (pending.again) return this.#callRowAgain(pending, pending.again.id, tenant);
    const list = await this.#read(message);
    // Only then is it known where its rows wait.
    await tenant.client.opened;
    await this.#lists.loaded;
    if (this.#settings?.begin === "look") {
      const { summary } = await this.look(list, true);
      return resultOf({ payload: summary, list: summary });
    }
    const { requestId } = message as { readonly requestId?: unknown };
    const campaign = await requests.inTurn(requestId, () => this.#accept(list, pending, requestId, tenant));
    // A stop came while it was read.
    if (this.#lists.stops > stops) await campaign.endRest("message");
    if (this.#lists.running === campaign) await this.#lists.begin();
    const { good } = campaign.judged ?? {};
    if (requestId !== undefined && good !== undefined) requests.tell(requestId, good);
    pending.answer?.tell(acceptedList(list.rows.length, good));
    return undefined;
  }

  async #accept(list: List, pending: Pending, requestId: unknown, tenant: UsableTenant): Promise<Campaign> {
    const [{ client }, { requests }] = [tenant, this.#lists];
    const subject = this.#subjectOf(list, pending.message, tenant);
    let file: ListFile | undefined;
    let giveBack = () => {};
    try {
      // First: a repetition is one, whatever room there is.
      await requests.check(requestId, client, this.#lists.has(requestId));
      this.#lists.assertRoom();
      await this.#assertKeys(list, tenant);
      // Before its id is taken: a crash in between loses no list of which its sender is told that it was accepted.
      file = client.lanes.isDurable ? await this.#write(subject, pending.message) : undefined;
      giveBack = await requests.take(requestId, client);
      if (this.mailbox.isAbandonedBy(this.node)) throw dropped();
      this.#lists.assertRoom();
      return this.#lists.add(subject, pending, file);
    } catch (error) {
      giveBack();
      await file?.remove();
      if (error instanceof TenantError && error.details.first)
        pending.answer?.tell(acceptedList(list.rows.length, requests.told(requestId), { repeated: true }));
      throw error;
    }
  }

  /** Calls a row of a list once more, by the node's fields; the list has nothing to do with it. */
  async #callRowAgain(pending: Pending, again: string, { client }: UsableTenant): Promise<undefined> {
    const call = await (this.rows as RowReader).read(pending.message);
    const job = { ...rowJob(this.node, String(pending.message._msgid), call), again };
    Progress.of(this.RED, this.node.id).start(client, job, pending);
    return undefined;
  }

  async #read(message: object): Promise<List> {
    const { list: value } = await this.#list.read(message);
    const isJsonata = this.#config["listType"] === "jsonata";
    return readList(value, { ...this.#reading, message, isJsonata }).catch((error: unknown) => {
      const source = this.#list.looked("list");
      if (error instanceof ValueError && source !== undefined) error.source ??= source;
      throw error;
    });
  }

  /** Reads a file that somebody looks at. Rejects with ValueError. */
  readFile(bytes: Buffer): Promise<List> {
    return readList(bytes, this.#reading);
  }

  get #reading() {
    const number = pairOf(this.#config, "toNumber");
    return { encoding: this.#settings?.encoding ?? "", columns: number && columnsOf(number) };
  }

  /** Judges a list, and calls nobody. */
  async look(list: List, tell = false) {
    const tenant = usable(this.tenant);
    if (this.problem || !this.rows) throw this.problem;
    await this.#assertKeys(list, tenant);
    const judged = await look(list, this.rows, tenant.client, tenant.mode === "log");
    if (tell) this.judged(judged);
    const summary = summaryOf(this.RED, this.RED.util.generateId(), judged, lastBegin(judged.good, tenant));
    return { summary, refused: judged.refused };
  }

  async #assertKeys(list: List, { client, mode }: UsableTenant): Promise<void> {
    if (mode === "log" || !this.rows) return;
    const before = Lists.ofClient(client).reduce((sum, { tally }) => sum + tally.total - tally.ended, 0);
    await assertKeys(list, this.rows, client, before);
  }

  #subjectOf(list: List, message: NodeMessage, { id: tenant, key: target }: UsableTenant): Subject {
    const { filename, requestId } = message as { readonly filename?: unknown; readonly requestId?: unknown };
    const name = typeof filename === "string" ? basename(filename) : this.node.name || this.node.type;
    const startedAt = new Date().toISOString();
    const request = typeof requestId === "string" && { requestId };
    return { id: this.RED.util.generateId(), name, startedAt, tenant, target, ...request, list };
  }

  /** Writes a list down, with what brought it. Rejects with TenantError ERR_ENGINE. */
  async #write(subject: Subject, message: NodeMessage): Promise<ListFile> {
    const folder = listFolder(this.RED);
    try {
      if (folder === undefined) throw new Error(shared(this.RED, "callList.noFolder"));
      return await ListFile.create(folder, subject, this.node, message);
    } catch (error) {
      throw engineFailure(error);
    }
  }

  sendRows({ id, list }: Subject, rows: readonly RowDone[]): void {
    for (const { index, result, ended } of rows) {
      const text = list.rows[index] ?? "null";
      const place = { list: id, index: index + 1, total: list.rows.length };
      const out = { _msgid: this.RED.util.generateId(), payload: JSON.parse(text), row: JSON.parse(text), list: place };
      this.#sendRow(out, result, ended, this.node.send.bind(this.node));
    }
  }

  #sendRow(out: RowMessage, of: JobResult, ended: Ended, send: Send): void {
    const called = of.timings.attempts > 0 && { request: of.summary, ...of.timings };
    const past = { ...(of.restored && { restored: of.restored }), ...(of.again && { again: true }) };
    const about = { action: this.node.type, mode: this.tenant.mode };
    const telephony = { ...about, ...called, ...past, row: tableRow(out.row, ended) };
    this.deliver(out, ended[0], () => send([{ ...out, telephony } as NodeMessage, null]));
  }

  /** Ends the message that brought a list: with its table, or as it was refused. */
  protected override readonly answer: Answer = (message, result, send, done) => {
    this.deliver(message, outcomeOf(result), () => {
      const { mode = this.tenant.mode } = result;
      if (result.again) {
        this.#sendRow(message as RowMessage, result, [...endOf(this.RED, result), this.now()], send);
        done();
        return;
      }
      if (!result.ok) {
        this.status.failed(result.error, mode);
        done(failure(this.RED, this.actor, mode, result));
        return;
      }
      const { filename: _, req: _req, res: _res, ...rest } = message as OpenMessage;
      send([null, { ...rest, ...(result.data as object) } as NodeMessage]);
      if (!this.#lists.running) this.#showEnd((result.data as { readonly list: EndedList }).list);
      done();
    });
  };

  show(): void {
    const { running } = this.#lists;
    if (!running || this.problem) return;
    const { waitsFor, tally, isHeldBack } = running;
    const tenant = usable(this.tenant);
    const { lanes } = tenant.client;
    const count = tally.total - tally.ended;
    const heldBack = isHeldBack ? count : lanes.heldBack;
    if (waitsFor) this.status.failed(waitsFor);
    else if (heldBack > 0 || areHeld(lanes)) this.status.waiting({ count, heldBack }, lanes, true);
    else this.status.showWords(() => ({ fill: "blue", shape: "dot", words: this.#progressOf(tally, tenant) }));
  }

  #progressOf({ ended, total, outcomes }: Tally, tenant: UsableTenant): string {
    const until = lastBegin(total - ended, tenant);
    const text = serverTexts(this.RED);
    const zone = tenant.settings.timezone || undefined;
    const done = this.#doneOf(ended, total, outcomes["not-applied"]);
    if (until === null) return done;
    const at = momentText(text, wallTime(Date.parse(until), zone), wallTime(Date.now(), zone));
    return text("callList.until", { done, at });
  }

  #doneOf(ended: number, total: number, notCalled: number): string {
    const text = serverTexts(this.RED);
    return text(notCalled > 0 ? "callList.progressButFor" : "callList.progress", { ended, total, count: notCalled });
  }

  #showEnd({ total, good, outcomes }: EndedList): void {
    // It was only looked at.
    const [ended, notCalled] = outcomes ? [total, outcomes["not-applied"]] : [good, total - good];
    this.status.showWords(() => ({ fill: "green", shape: "dot", words: this.#doneOf(ended, total, notCalled) }));
  }

  judged({ withoutZero, good }: Pick<Look, "withoutZero" | "good">): void {
    const count = withoutZero.length;
    if (count === 0) return;
    const text = serverTexts(this.RED);
    const some = withoutZero.slice(0, NAMED_ROWS).map((index) => String(index + 1));
    const rows = joined(text, "pattern.also", [...some, ...(count > NAMED_ROWS ? ["…"] : [])]);
    const parts =
      count === good
        ? [text("callList.allWithoutZero")]
        : [text("callList.withoutZero", { count }), text("callList.rows", { rows })];
    swallowErrors(() => this.node.warn(joined(text, "pattern.sentences", parts)));
  }
}

type RowMessage = NodeMessage & { readonly row?: unknown };
type EndedList = Pick<ReturnType<typeof summaryOf>, "total" | "good"> & Partial<Pick<Tally, "outcomes">>;

function acceptedList(total: number, good: number | undefined, more = {}) {
  return waiting("list", null, { total, ...(good !== undefined && { good }), ...more });
}

/** Whether a message ends the list, in any spelling of true. */
function isStop(message: object): boolean {
  const stop = Object.hasOwn(message, "stop") && (message as { readonly stop?: unknown }).stop;
  return attempt(() => toBoolean(stop, "stop")) === true;
}
