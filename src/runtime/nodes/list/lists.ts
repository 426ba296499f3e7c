import type { NodeAPI } from "node-red";
import { notSent, type TenantClient } from "../../../client";
import { oneLine } from "../../../fields";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { Pending } from "../../delivery/pending";
import type { CallResult, RestoreHandler } from "../../delivery/restore-registry";
import { restoredMessage } from "../../delivery/stored-message";
import { logText } from "../../node-red/catalogue";
import { perNode } from "../../node-red/node-state";
import type { UsableTenant } from "../../tenants/chosen-tenant";
import { isClockUnsure } from "../../tenants/start-clocks";
import { type Caller, rowOf } from "./caller";
import { Campaign } from "./campaign";
import { PAUSE_MS } from "./feed";
import { isLate, readCalled, reportDropped } from "./left-lists";
import { type ListFile, listFiles, type StoppedBy, type StoredList, type Subject } from "./list-file";
import { ListRequests } from "./list-requests";
import { look } from "./look";
import { endedSummary, resultOf } from "./summary";
import { type Called, csvOf, tableOf } from "./table";

/** Lists of a node that may wait for the end of the one that runs. */
const MOST_WAITING = 10;

const nodes = perNode<Lists>("lists");

/** The lists of one node, whichever instance of it is there: one is called at a time. */
export class Lists {
  /** The first one is called, the others wait for its end. */
  #campaigns: Campaign[] = [];
  /** Reads the last one that has ended. */
  #last: (() => Promise<Called | undefined>) | undefined;
  #caller: Caller | undefined;
  /** Resolves when it is known what an earlier process has left. */
  loaded: Promise<void> | undefined;
  /** Those that are being judged, or of which it is being asked how far they are. */
  readonly #judging = new WeakSet<Campaign>();
  #unfollow: (() => void) | undefined;
  readonly requests: ListRequests;
  stops = 0;

  private constructor(
    private readonly RED: NodeAPI,
    readonly nodeId: string,
  ) {
    this.requests = new ListRequests(nodeId);
  }

  static of(RED: NodeAPI, nodeId: string): Lists {
    return nodes.of(nodeId, () => new Lists(RED, nodeId));
  }

  static find(nodeId: string): Lists | undefined {
    return nodes.get(nodeId);
  }

  /** A running instance of a node that stands in a subflow. */
  static instanceOf(template: string): Caller | undefined {
    const callers = [...nodes.values()].map((lists) => lists.#caller);
    return callers.find((caller) => (caller?.node as { readonly _alias?: string } | undefined)?._alias === template);
  }

  /** The lists that are called for a client, and those that wait for their end. */
  static ofClient(client: TenantClient): readonly Campaign[] {
    return [...nodes.values()].flatMap((lists) => (lists.#caller?.tenant.client === client ? lists.#campaigns : []));
  }

  /** The number of rows of each list that may be in the backlog of a tenant: those of all nodes fill half of it. */
  static #shareOf({ client, settings }: UsableTenant): number {
    const running = [...nodes.values()].filter((lists) => lists.running && lists.#caller?.tenant.client === client);
    return Math.max(1, Math.floor(settings.backlog / 2 / Math.max(1, running.length)));
  }

  get running(): Campaign | undefined {
    return this.#campaigns.find(({ isKept }) => !isKept);
  }

  /** Serves an instance of the node from now on. */
  attach(caller: Caller): void {
    const { client } = caller.tenant;
    this.#caller = caller;
    this.#unfollow?.();
    this.#unfollow = client?.follow({ changed: () => this.#changed() });
    this.loaded ??= this.#load();
    this.#serve();
  }

  detach(caller: Caller): void {
    if (this.#caller !== caller) return;
    this.#caller = undefined;
    this.#unfollow?.();
    this.#serve();
  }

  /** The flows run, or do not: nobody is told anything, and nothing begins, until they do. */
  resume(): void {
    const isDeleted = !this.#caller && flows.running;
    if (isDeleted && this.#campaigns.length > 0) this.#drop();
    else if (isDeleted) nodes.delete(this.nodeId);
    else this.#serve();
  }

  stop(): void {
    for (const campaign of this.#campaigns) campaign.stop();
  }

  /** Refuses a further list. Throws TenantError ERR_BACKLOG_FULL. */
  assertRoom(): void {
    if (this.#campaigns.length > MOST_WAITING)
      throw notSent("ERR_BACKLOG_FULL", "queue", { key: "listsFull", params: { most: MOST_WAITING } });
  }

  /** Whether a list is called, or waits for its turn, that a request with this id has brought. */
  has(requestId: unknown): boolean {
    return requestId !== undefined && this.#campaigns.some(({ subject }) => subject.requestId === requestId);
  }

  add(subject: Subject, pending: Pending, file: ListFile | undefined): Campaign {
    const share = (tenant: UsableTenant) => Lists.#shareOf(tenant);
    const campaign = new Campaign(this.RED, this.nodeId, subject, pending, file, share, (rows) => {
      const { tenant } = this.#caller ?? {};
      if (tenant && !tenant.problem)
        for (const { ended, result } of rows) {
          tenant.statistics.countRow(ended[0]);
          tenant.statistics.today.count(this.nodeId, result);
        }
      if (campaign.tally.isOver) this.#over(campaign);
    });
    this.#campaigns.push(campaign);
    campaign.serve(this.#caller);
    return campaign;
  }

  /** Judges the rows of the first list, and calls them. Resolves once it was judged, if it can be. */
  async begin(): Promise<void> {
    const campaign = this.running;
    const caller = this.#caller;
    if (!campaign?.isReady || campaign.judged || !caller?.rows || caller.tenant.problem) return;
    const { rows, tenant } = caller;
    await this.#judge(campaign, async () => {
      const judged = await look(campaign.subject.list, rows, tenant.client, tenant.mode === "log");
      if (!campaign.stoppedBy) caller.judged(judged);
      campaign.begin(judged);
    });
    // It may have no rows.
    if (campaign.tally.isOver) this.#over(campaign);
  }

  /** Asks the backlog about a list, not twice at the same time. If the backlog fails, its tenant says so, and it is asked again. */
  async #judge(campaign: Campaign, ask: () => Promise<void>): Promise<void> {
    if (this.#judging.has(campaign)) return;
    this.#judging.add(campaign);
    await ask().catch(() => setTimeout(() => this.#serve(), PAUSE_MS).unref());
    this.#judging.delete(campaign);
  }

  /** Lets no further row of any of its lists begin. Resolves to how many had not begun. */
  async end(by: StoppedBy): Promise<number> {
    this.stops += 1;
    const ended = await Promise.all(this.#campaigns.map((campaign) => campaign.endRest(by)));
    return ended.reduce((sum, count) => sum + count, 0);
  }

  /** The list that runs, or the last one. */
  async called(): Promise<Called | undefined> {
    return this.running?.called ?? this.#last?.();
  }

  #serve(): void {
    const { tenant } = this.#caller ?? {};
    // A list in memory has ended with the flows.
    this.#campaigns = this.#campaigns.filter(({ pending }) => !pending.recorded);
    for (const campaign of this.#campaigns) {
      campaign.serve(this.#caller);
      if (campaign.isOf(tenant)) void this.#goOn(campaign, tenant.client);
      else if (!campaign.isReady && tenant?.problem === undefined) this.#keep(campaign);
    }
    void this.begin();
  }

  #changed(): void {
    void this.#release();
    for (const campaign of this.#campaigns) campaign.feed();
    void this.begin();
  }

  /** Continues the lists that a longer stop has held back, once somebody has resumed. */
  async #release(): Promise<void> {
    const { client } = this.#caller?.tenant ?? {};
    const held = this.#campaigns.filter(({ isHeldBack, isReady }) => isHeldBack && isReady);
    if (!client || held.length === 0) return;
    const isReleased = await client.ask(({ left }) => left.isReleased).catch(() => false);
    if (isReleased) for (const campaign of held) campaign.holdBack(false);
  }

  /** Gives out the table when all rows have ended, and goes on with the next list. */
  #over(campaign: Campaign): void {
    if (!this.#campaigns.includes(campaign)) return;
    const { file, called } = campaign;
    file?.rest();
    this.#campaigns = this.#campaigns.filter((one) => one !== campaign);
    this.#last = async () => (file ? readCalled(file) : called);
    void this.#giveOut(campaign);
    void this.begin();
  }

  async #giveOut(campaign: Campaign): Promise<void> {
    const { file, pending, subject, called } = campaign;
    const payload = called.csv ? await csvOf(called) : await tableOf(called);
    const reported = () => {
      file?.append([{ over: new Date().toISOString() }]);
      void this.#removeOlder(subject.id);
    };
    const result = resultOf({ payload, list: endedSummary(campaign) });
    Mailbox.of(this.RED, this.nodeId).settle(pending, { ...result, reported });
  }

  /** The node was deleted or disabled. */
  #drop(): void {
    for (const campaign of this.#campaigns.splice(0)) {
      void campaign.endRest("drop");
      reportDropped(this.RED, this.nodeId, campaign.pending, campaign.unfinished);
      void campaign.file?.remove();
    }
    nodes.delete(this.nodeId);
  }

  /** Goes on with what an earlier process has left. Never rejects. */
  async #load(): Promise<void> {
    const { RED, nodeId } = this;
    for (const file of await listFiles(RED, nodeId)) {
      const stored = await file.read();
      if (!stored || stored.head.nodeId !== nodeId) continue;
      const isOver = stored.lines.some((line) => "over" in line);
      if (isOver) this.#last = () => readCalled(file);
      else await this.#restore(stored, file);
    }
    if (this.#campaigns.length > 0) this.#serve();
  }

  async #restore(stored: StoredList, file: ListFile): Promise<void> {
    const { RED, nodeId } = this;
    const { head, subject } = stored;
    if (this.#campaigns.some((one) => one.subject.id === subject.id)) return;
    const { tenant } = this.#caller ?? {};
    const message = restoredMessage(JSON.parse(head.message), head.left, head.startedAt);
    const pending = new Pending(message, head.nodeType, tenant?.mode ?? null, "orphan");
    Mailbox.of(RED, nodeId).track(pending);
    const campaign = this.add(subject, pending, file);
    campaign.restore(stored);
  }

  #keep(campaign: Campaign): void {
    if (campaign.isKept) return;
    campaign.isKept = true;
    logText(this.RED, "warn", "log.listKept", { name: oneLine(campaign.subject.name), node: oneLine(this.nodeId) });
  }

  /** Goes on with a list that an earlier process has left, once the backlog is open. */
  async #goOn(campaign: Campaign, client: TenantClient): Promise<void> {
    if (campaign.isReady) return;
    const { id, requestId } = campaign.subject;
    await this.#judge(campaign, async () => {
      // Asked again later: its calls wait until the clock is right, too.
      if (await isClockUnsure()) throw new Error("clock");
      const left = await client.ask((backlog) => backlog.left);
      // The tenant keeps calls in memory, as the journal with those of this list cannot be opened.
      if (client.lanes.isDurable === false) return this.#keep(campaign);
      await this.requests.keep(requestId, client);
      campaign.holdBack(!left.isReleased && (campaign.isHeldBack || isLate(campaign, left, client.lanes)));
      campaign.file?.beat();
      campaign.goOn(left.rows.get(id) ?? []);
    });
    void this.begin();
  }

  async #removeOlder(last: string): Promise<void> {
    const needed = () => [last, ...this.#campaigns.map(({ subject }) => subject.id)];
    for (const file of await listFiles(this.RED, this.nodeId))
      if (!needed().some((id) => file.path.includes(id))) await file.remove();
  }

  /** The end of a row that another process has accepted. */
  async onCallResult(entryId: string, { result, reported }: CallResult): Promise<void> {
    await this.loaded;
    const { list, index } = rowOf(entryId);
    const campaign = this.#campaigns.find(({ subject }) => subject.id === list);
    if (!campaign) reported();
    else if (result) campaign.onResult(index, result);
    else campaign.onForgotten(index, reported);
  }
}

export const restoreLists: RestoreHandler = {
  onCallResult: (RED, nodeId, entryId, result) => void Lists.of(RED, nodeId).onCallResult(entryId, result),
};

flows.onEach("start", nodes, (lists) => lists.resume());
flows.onEach("stop", nodes, (lists) => lists.stop());
