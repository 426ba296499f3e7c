import type { NodeAPI } from "node-red";
import { AGAIN } from "../../../backlog";
import { dropped, notSent, type TenantClient } from "../../../client";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { Pending } from "../../delivery/pending";
import type { CallResult, RestoreHandler } from "../../delivery/restore-registry";
import { restoredMessage } from "../../delivery/stored-message";
import { perNode } from "../../node-red/node-state";
import type { Tenant } from "../../tenants/chosen-tenant";
import { EscalationRun, type Owner, type Subject } from "./escalation-run";
import type { Incident } from "./incident";
import type { Resolution } from "./progress";

/** Results that may arrive before the record of their escalation. */
const MOST_UNCLAIMED = 10_000;

const registries = perNode<EscalationRegistry>("escalations");

/** An instance of the node, as far as its escalations need it. */
interface Instance {
  readonly tenant: Tenant;
  /** Shows how far its escalations have come. */
  show(): void;
}

/** The escalations of one node, whichever instance of it is there. */
export class EscalationRegistry implements Owner {
  #instance: Instance | undefined;
  /** By the names of their records. */
  readonly #runs = new Map<string, EscalationRun>();
  readonly #resolutions = new Set<Promise<unknown>>();
  /** Results of calls whose escalation is not restored yet, by the ids of the calls. */
  readonly #unclaimed = new Map<string, Pick<CallResult, "outcome" | "error">>();
  #last: EscalationRun | undefined;

  private constructor(readonly nodeId: string) {}

  static of(nodeId: string): EscalationRegistry {
    return registries.of(nodeId, () => new EscalationRegistry(nodeId));
  }

  /** Serves an instance of the node from now on. Escalations for another target end. */
  attach(instance: Instance): void {
    this.#instance = instance;
    this.resume();
  }

  /** The flows run, or the node is there. */
  resume(): void {
    for (const run of this.#runs.values()) this.#serve(run);
  }

  /** The flows do not run: nobody is called, and nothing ends, until they do. */
  pause(): void {
    for (const run of this.#runs.values()) run.apply({ type: "detached" });
  }

  #serve(run: EscalationRun): void {
    if (!this.#instance) {
      // Its node was deleted or disabled, perhaps while nothing ran.
      if (flows.running) run.apply({ type: "failed", error: dropped() });
      return;
    }
    const { client, problem } = this.#instance.tenant;
    if (run.client === client) {
      if (flows.running) run.apply({ type: "attached" });
    } else {
      // The target of an incident is no longer the tenant's.
      const error = problem ?? notSent("ERR_CONFIG", "config", { key: "config.tenantChanged" });
      run.apply({ type: "failed", error });
    }
  }

  detach(instance: Instance): void {
    if (this.#instance === instance) this.#instance = undefined;
    if (!this.#instance) this.pause();
    this.#forget();
  }

  get count(): number {
    return this.#runs.size;
  }

  get shown(): EscalationRun | undefined {
    return this.#last ?? [...this.#runs.values()].at(-1);
  }

  /** The run of an incident, by the name of its record. */
  find(name: string): EscalationRun | undefined {
    return this.#runs.get(name);
  }

  /** Begins an incident, whose message is still to be read, or goes on with one that another process has left. */
  begin(RED: NodeAPI, client: TenantClient, subject: Subject): EscalationRun {
    const run = new EscalationRun(RED, this, client, subject);
    this.#runs.set(subject.name, run);
    for (const [id, result] of this.#unclaimed) if (run.made(id)) this.#claim(run, id, result);
    this.#serve(run);
    return run;
  }

  /** Lets nobody be called before the message that may end an incident is read. */
  awaitResolution(reading: Promise<unknown>): void {
    this.#resolutions.add(reading);
    const over = () => this.#resolutions.delete(reading);
    reading.then(over, over);
  }

  async resolutionsRead(): Promise<void> {
    while (this.#resolutions.size > 0) await Promise.allSettled(this.#resolutions);
  }

  changed(run: EscalationRun): void {
    this.#last = run;
    this.#instance?.show();
  }

  ended(run: EscalationRun): void {
    // Another process may have left one of this name, which came later.
    if (this.find(run.subject.name) === run) this.#runs.delete(run.subject.name);
    if (this.#last === run) this.#last = undefined;
    this.#forget();
  }

  stop(): void {
    for (const run of this.#runs.values()) run.apply({ type: "stopped" });
    registries.delete(this.nodeId);
  }

  #forget(): void {
    if (!this.#instance && this.#runs.size === 0) registries.delete(this.nodeId);
  }

  /** Goes on with an incident that another process has left, once its node is there. */
  restore(RED: NodeAPI, client: TenantClient, action: string, name: string, incident: Incident): void {
    const { key, mode, kept, startedAt } = incident;
    const message = restoredMessage(kept.message, kept.left, new Date(startedAt).toISOString());
    const pending = new Pending(message, action, mode, "orphan");
    Mailbox.of(RED, this.nodeId).track(pending);
    this.begin(RED, client, { name, key, pending, startedAt, left: incident });
  }

  #claim(run: EscalationRun, id: string, result: Pick<CallResult, "outcome" | "error">): void {
    this.#unclaimed.delete(id);
    run.apply({ type: "result", id, ...result });
  }

  /** The outcome of a call that another process has made. */
  onCallResult(id: string, result: Pick<CallResult, "outcome" | "error">): void {
    const run = [...this.#runs.values()].find((one) => one.made(id));
    if (run) this.#claim(run, id, result);
    else this.#unclaimed.set(id, result);
    const [first] = this.#unclaimed.keys();
    if (first !== undefined && this.#unclaimed.size > MOST_UNCLAIMED) this.#unclaimed.delete(first);
  }
}

export const restoreEscalations: RestoreHandler = {
  onRecordRestored(RED, client, action, name, value) {
    const incident = value as Incident;
    EscalationRegistry.of(incident.nodeId).restore(RED, client, action, name, incident);
  },
  onRecordNote(name, note) {
    for (const registry of registries.values()) {
      const run = registry.find(name);
      if (note !== AGAIN) run?.apply(note as Resolution);
      else if (run) void run.client.ask(({ records }) => records.adopt(name) && run.apply({ type: "again" }));
    }
  },
  onCallResult(_, nodeId, id, { outcome, error, reported }) {
    EscalationRegistry.of(nodeId).onCallResult(id, { outcome, error });
    reported();
  },
};

flows.onEach("start", registries, (registry) => registry.resume());
flows.onEach("pause", registries, (registry) => registry.pause());
flows.onEach("stop", registries, (registry) => registry.stop());
