import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Exempt } from "../../../backlog";
import { dropped, type JobResult, outcomeOf } from "../../../client";
import type { Config, ValueError } from "../../../fields";
import { checkSettings } from "../../../fields/setting";
import { answerOf } from "../../delivery/answers";
import { failure } from "../../delivery/failure";
import { accepted } from "../../delivery/http-answer";
import type { Answer, Done, Pending, Send } from "../../delivery/pending";
import { shared } from "../../node-red/catalogue";
import { StatusLine, timeOfDay } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { asTenantError, sentence } from "../../node-red/texts";
import { chosenTenant, usable } from "../../tenants/chosen-tenant";
import type { OpenMessage } from "../action/outgoing";
import { writable } from "../action/target";
import { TelephonyNode } from "../telephony-node";
import { ESCALATION_SETTINGS, type Escalation, fieldsOf } from "./declaration";
import { EscalationRegistry } from "./escalation-registry";
import type { EscalationRun } from "./escalation-run";
import { changesNothing, comeAgain, quietUntil, recordName, type report, resolveElsewhere } from "./incident";
import type { Beginning, Resolution } from "./progress";
import { incidentReader, resolutionOf } from "./reading";

/** Of the calls of an incident. */
const ALARM: Exempt = { urgent: true, anytime: true };

export function escalateNode(...args: ConstructorParameters<typeof EscalateNode>): void {
  new EscalateNode(...args);
}

/** @throws ValueError */
export function escalationSettings(config: Config): Omit<Beginning, "people"> {
  const { ringFor, rounds, quietFor } = checkSettings(ESCALATION_SETTINGS, config);
  return { quietForMs: quietFor * 1000, ringForMs: ringFor * 1000, rounds };
}

/** A node that calls people one after the other until somebody acknowledges. */
class EscalateNode extends TelephonyNode {
  readonly #registry: EscalationRegistry;
  readonly #reader: ReturnType<typeof incidentReader>;
  readonly #limits: ReturnType<typeof escalationSettings>;
  /** Whether it shows that trouble holds calls. */
  #isHeld = false;

  constructor(RED: NodeAPI, node: Node, config: Config, declaration: Escalation) {
    const { type, effect } = declaration;
    const actor = { type, effect, shape: { fields: fieldsOf(declaration) }, facts: { rung: [] } };
    const tenant = chosenTenant(RED, config, node);
    super(RED, node, tenant, actor, new StatusLine(RED, node, tenant));
    this.#limits = this.read(() => escalationSettings(config)) ?? escalationSettings({});
    this.#reader = incidentReader(declaration, config, this.host(true));
    if (this.#reader.problem) this.problem ??= asTenantError(this.#reader.problem);
    this.#registry = EscalationRegistry.of(node.id);
    this.open();
    if (!this.problem && this.#registry.count === 0) this.status.rest();
    this.#registry.attach(this);
    this.show();
  }

  protected override changed(): void {
    this.show();
  }

  protected override closed(): void {
    this.#registry.detach(this);
  }

  protected override input(message: NodeMessage, send: Send, done: Done): void {
    try {
      const resolution = resolutionOf(message);
      if (resolution) this.#registry.awaitResolution(this.#resolve(message, resolution, done));
      else super.input(message, send, done);
    } catch (error) {
      this.refuse(message, error, done);
    }
  }

  /** Ends an incident, here or at another Node-RED. If none runs, it may only end the quiet time. Never rejects. */
  async #resolve(message: NodeMessage, resolution: Resolution, done: Done): Promise<void> {
    try {
      const name = this.#nameOf(await this.#reader.key(message));
      const run = this.#registry.find(name);
      run?.apply(resolution);
      const told = run
        ? { changed: run.resolution === resolution }
        : await resolveElsewhere(usable(this.tenant).client, name, resolution, this.#limits.quietForMs);
      answerOf(message)?.tell(accepted(told));
      this.deliver(message, "applied", done);
    } catch (error) {
      this.refuse(message, error, done);
    }
  }

  #nameOf(key: string): string {
    return recordName(this.actor.type, this.node.id, key);
  }

  protected override async begin(pending: Pending): Promise<JobResult | undefined> {
    if (this.problem) throw this.problem;
    const { settings, client } = usable(this.tenant);
    const { message } = pending;
    const [reading, calling] = [this.#reader.key(message), this.#reader.calls(message, settings)];
    // An incident that runs already does not need it.
    calling.catch(() => {});
    const key = await reading;
    const name = this.#nameOf(key);
    const find = () => this.#registry.find(name);
    // This message counts as a further one only of an incident whose first message could be read, and that is not over.
    let known: EscalationRun | undefined;
    const isOver = (run: EscalationRun) => run.resolution?.type === "over";
    for (let run = find(); run && (isOver(run) || run !== known); run = find()) {
      await (isOver(run) ? run.ended : run.read);
      known = run;
    }
    if (find()) {
      await comeAgain(client, name, pending);
      return changesNothing();
    }
    if (this.mailbox.isAbandonedBy(this.node) || pending.recorded) throw dropped();
    const run = this.#registry.begin(this.RED, client, { name, key, pending, startedAt: Date.now() });
    try {
      // A message that came before may end the quiet time.
      await this.#registry.resolutionsRead();
      const quiet = await quietUntil(client, name, this.#limits.quietForMs);
      if (quiet) {
        pending.answer?.tell(accepted({ changed: false, ...quiet }));
        run.apply({ type: "takenOver" });
      } else {
        const { people, requests, unreadable } = await calling;
        for (const { problem } of unreadable) this.#warn(problem);
        run.start({ type: "read", people, unreadable, ...this.#limits }, requests);
      }
    } catch (error) {
      run.apply({ type: "failed", error: asTenantError(error) });
    }
    return undefined;
  }

  #warn(problem: ValueError): void {
    const reason = sentence(this.RED, asTenantError(problem), this.actor);
    swallowErrors(() => this.node.warn(shared(this.RED, "log.personLeftOut", { reason })));
  }

  /** Ends the first message of an incident: sends it to the output of its result, or fails it. */
  protected override readonly answer: Answer = (message, result, send, done) => {
    this.deliver(message, outcomeOf(result), () => {
      const { mode = this.tenant.mode } = result;
      if (!result.ok) {
        if (!this.show()) this.status.failed(result.error, mode);
        done(failure(this.RED, this.actor, mode, result));
        return;
      }
      if (!result.sentOn) {
        const payload = result.data as ReturnType<typeof report>;
        const as = payload.over ? "over" : payload.acknowledgedBy === null ? "nobodyAcknowledged" : "acknowledged";
        if (!this.show()) this.#ended(as);
        const out = writable(message, ["payload", "telephony"]) as OpenMessage;
        const { restored } = Object(out["telephony"]) as { readonly restored?: object };
        out["payload"] = payload;
        out["telephony"] = { action: this.actor.type, mode, ...(restored && { restored }) };
        send(as === "nobodyAcknowledged" ? [null, out] : [out, null]);
      } else this.show();
      done();
    });
  };

  /** Shows how far the incidents have come. Returns whether there is anything to show. */
  show(): boolean {
    const { count, shown } = this.#registry;
    const { status, problem } = this;
    if (problem) {
      status.failed(problem);
      return true;
    }
    const { lanes } = this.tenant.client ?? {};
    if (lanes?.reason !== undefined && lanes.failure === undefined) {
      status.waiting({ count: 1 }, lanes, false, ALARM);
      this.#isHeld = true;
      return true;
    }
    if (this.#isHeld) status.rest();
    this.#isHeld = false;
    if (!shown || !lanes) return false;
    const { heldBack, failure } = lanes;
    if (failure !== undefined) status.show("red", "ring", "noBacklog");
    else if (heldBack > 0 && shown.hasPending) status.waiting({ count: 1, heldBack }, lanes, false, ALARM);
    else if (shown.position && count > 1) status.show("blue", "dot", "ringingSeveral", { ...shown.position, count });
    else if (shown.position) status.show("blue", "dot", "ringing", { ...shown.position });
    return true;
  }

  #ended(as: "acknowledged" | "over" | "nobodyAcknowledged"): void {
    const [fill, shape] = this.tenant.mode === "live" ? (["green", "dot"] as const) : (["yellow", "ring"] as const);
    this.status.show(as === "nobodyAcknowledged" ? "yellow" : fill, shape, as, { time: timeOfDay(Date.now()) });
  }
}
