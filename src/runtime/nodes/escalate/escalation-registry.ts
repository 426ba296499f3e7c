import type { NodeAPI } from "node-red";
import type { Outcome, TenantClient, TenantError } from "../../../tenant";
import { flows } from "../../delivery/flow-lifecycle";
import { restoredMessage } from "../../delivery/kept-message";
import { Mailbox } from "../../delivery/mailbox";
import { warnOf } from "../../delivery/message-log";
import { Pending } from "../../delivery/pending";
import type { RestoreByType } from "../../delivery/restore-registry";
import type { Tenant } from "../../tenants/chosen-tenant";
import { NOBODY, RunningLadder, type Seat, type Told, tenantChanged } from "./escalation-run";
import type { Incident } from "./incident";

export const ACTION = "call-escalate";

/** The running ladders, by the names of their records. At module level, because they outlive redeploys. */
const running = new Map<string, RunningLadder>();

/** By node id. At module level, because they outlive redeploys. */
const seats = new Map<string, Ladders>();

/** What was told of the calls of ladders that are not there yet. */
const told = new Map<string, Told>();
const MOST_TOLD = 10_000;

/** Who acknowledged incidents that an earlier process has left, and that wait for their nodes. */
const adopting = new Map<string, string | true | undefined>();

/** An instance of the node, as far as its ladders need it. */
export interface Host {
  readonly tenant: Tenant;
  /** Shows how far its ladders have come. */
  show(): void;
}

/** The ladders of one node, whichever instance of it is there. */
export class Ladders implements Seat {
  readonly nodeId: string;
  #host: Host | undefined;
  readonly #own = new Set<RunningLadder>();
  readonly #acknowledgements = new Set<Promise<unknown>>();
  /** The ladder that changed last. */
  #last: RunningLadder | undefined;

  private constructor(nodeId: string) {
    this.nodeId = nodeId;
  }

  static of(nodeId: string): Ladders {
    const known = seats.get(nodeId) ?? new Ladders(nodeId);
    seats.set(nodeId, known);
    return known;
  }

  /** Serves an instance of the node from now on. What runs at another target ends. */
  attach(host: Host): void {
    this.#host = host;
    const { client, problem } = host.tenant;
    for (const ladder of this.#own)
      if (ladder.client === client) ladder.advance();
      else ladder.fail(problem ?? tenantChanged());
  }

  /** @param gone why no other instance follows, if so: its ladders end with it */
  detach(host: Host, gone: TenantError | undefined): void {
    if (this.#host === host) this.#host = undefined;
    if (gone) for (const ladder of this.#own) ladder.fail(gone);
    this.#forget();
  }

  get isTaken(): boolean {
    return this.#host !== undefined;
  }

  get host(): Host | undefined {
    return this.#host;
  }

  get count(): number {
    return this.#own.size;
  }

  /** The ladder to be shown. */
  get shown(): RunningLadder | undefined {
    return this.#last ?? [...this.#own].at(-1);
  }

  /** Whether the incident runs here. */
  find(name: string): RunningLadder | undefined {
    return running.get(name);
  }

  /** Begins an incident, which does not run yet. */
  begin(RED: NodeAPI, client: TenantClient, of: ConstructorParameters<typeof RunningLadder>[3]): RunningLadder {
    const ladder = new RunningLadder(RED, this, client, of);
    running.set(of.name, ladder);
    this.#own.add(ladder);
    return ladder;
  }

  /** Lets nobody be called before an acknowledgement is read: it may end the ladder. */
  await(reading: Promise<unknown>): void {
    this.#acknowledgements.add(reading);
    const over = () => this.#acknowledgements.delete(reading);
    reading.then(over, over);
  }

  async read(): Promise<void> {
    while (this.#acknowledgements.size > 0) await Promise.allSettled(this.#acknowledgements);
  }

  changed(ladder: RunningLadder): void {
    this.#last = ladder;
    this.#host?.show();
  }

  ended(ladder: RunningLadder): void {
    running.delete(ladder.name);
    this.#own.delete(ladder);
    if (this.#last === ladder) this.#last = undefined;
    this.#forget();
  }

  stop(): void {
    for (const ladder of this.#own) ladder.stop();
  }

  #forget(): void {
    if (!this.#host && this.#own.size === 0) seats.delete(this.nodeId);
  }
}

/** A record that an earlier process left is this one's: the incident goes on with its node. */
function adopt(RED: NodeAPI, client: TenantClient, name: string, incident: Incident): void {
  adopting.set(name, undefined);
  const goOn = () => {
    const by = adopting.get(name);
    adopting.delete(name);
    revive(RED, client, name, incident, by);
  };
  // Its node may not be there yet.
  if (flows.running) goOn();
  else void flows.untilRunning().then(goOn);
}

function revive(RED: NodeAPI, client: TenantClient, name: string, incident: Incident, by: string | true | undefined) {
  const { nodeId, key, mode, kept, startedAt } = incident;
  const message = restoredMessage(kept.message, kept.left, new Date(startedAt).toISOString());
  const seat = seats.get(nodeId);
  if (!seat?.host) {
    const outcome: Outcome = incident.progress.rung.length > 0 ? "unknown" : "not-applied";
    warnOf(RED, "undelivered", ACTION, message, outcome);
    void client.records.remove(name);
    return;
  }
  const pending = new Pending(message, ACTION, mode, NOBODY, () => {});
  Mailbox.of(RED, nodeId).track(pending);
  const ladder = seat.begin(RED, client, { name, key, pending, startedAt });
  const take = (id: string) => {
    const known = told.get(id);
    told.delete(id);
    return known;
  };
  void ladder.revive(incident, take);
  if (by !== undefined) ladder.acknowledge(by);
  if (seat.host.tenant.client !== client) ladder.fail(seat.host.tenant.problem ?? tenantChanged());
}

/** Somebody has acknowledged at another Node-RED. */
function noted(name: string, note: unknown): void {
  const { acknowledgedBy } = note as { readonly acknowledgedBy: string | true };
  if (adopting.has(name)) adopting.set(name, acknowledgedBy);
  running.get(name)?.acknowledge(acknowledgedBy);
}

/** The outcome of a call that an earlier process has made. */
function callEnded(id: string, outcome: Outcome, error?: TenantError): void {
  const own = [...running.values()].find((ladder) => ladder.made(id));
  if (own) own.told(id, outcome, error);
  else told.set(id, { outcome, error });
  if (told.size > MOST_TOLD) for (const first of told.keys()) return void told.delete(first);
}

export const restoreEscalations: RestoreByType = {
  onRecordRestored: (RED, client, name, value) => adopt(RED, client, name, value as Incident),
  onRecordNote: noted,
  onCallResult: callEnded,
};

flows.onStop(() => {
  for (const seat of seats.values()) seat.stop();
  seats.clear();
  running.clear();
  told.clear();
  adopting.clear();
});
