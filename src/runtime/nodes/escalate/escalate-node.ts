import type { Node, NodeAPI, NodeMessage } from "node-red";
import { dropped, outcomeOf, type TenantError } from "../../../client";
import type { Config, ValueError } from "../../../fields";
import { checkSettings } from "../../../fields/setting";
import { accepted, answerOf } from "../../delivery/answers";
import { failure, notBegun, refuser } from "../../delivery/failure";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { type Answer, type Done, Pending, type Send } from "../../delivery/pending";
import { shared } from "../../node-red/catalogue";
import { hostOf } from "../../node-red/host";
import { StatusLine, timeOfDay } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { type Actor, asTenantError, sentence } from "../../node-red/texts";
import { chosenTenant, guardedBy, type Tenant, usable } from "../../tenants/chosen-tenant";
import type { OpenMessage } from "../action/outgoing";
import { writable } from "../action/target";
import { ESCALATION_SETTINGS, type Escalation, fieldsOf } from "./declaration";
import { EscalationRegistry } from "./escalation-registry";
import type { EscalationRun } from "./escalation-run";
import { changesNothing, comeAgain, quietUntil, recordName, type report, resolveElsewhere } from "./incident";
import type { Beginning, Resolution } from "./progress";
import { incidentReader, resolutionOf } from "./reading";

export function escalateNode(...args: ConstructorParameters<typeof EscalateNode>): void {
  new EscalateNode(...args);
}

/**
 * The settings of a node.
 * @throws ValueError
 */
export function escalationSettings(config: Config): Omit<Beginning, "people"> {
  const { ringFor, rounds, quietFor } = checkSettings(ESCALATION_SETTINGS, config);
  return { quietForMs: quietFor * 1000, ringForMs: ringFor * 1000, rounds };
}

/** A node that calls people one after the other until somebody acknowledges. */
class EscalateNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #actor: Actor;
  readonly #tenant: Tenant;
  readonly #status: StatusLine;
  readonly #refuse: ReturnType<typeof refuser>;
  readonly #registry: EscalationRegistry;
  readonly #read: ReturnType<typeof incidentReader>;
  readonly #limits: ReturnType<typeof escalationSettings>;
  /** ERR_CONFIG, if the tenant or the node is badly configured: every message fails with it. */
  readonly #problem: TenantError | undefined;
  /** Whether it shows that trouble holds calls. */
  #isHeld = false;

  constructor(RED: NodeAPI, node: Node, config: Config, declaration: Escalation) {
    this.#RED = RED;
    this.#node = node;
    const { type, effect } = declaration;
    this.#actor = { type, effect, modes: { "": { fields: fieldsOf(declaration) } }, facts: { rung: [] } };
    this.#tenant = chosenTenant(RED, config, node);
    this.#problem = this.#tenant.problem;
    try {
      this.#limits = escalationSettings(config);
    } catch (error) {
      this.#limits = escalationSettings({});
      this.#problem ??= asTenantError(error);
    }
    const host = { ...hostOf(RED, node, this.#actor), mayBeTwo: guardedBy(this.#tenant, true) };
    this.#read = incidentReader(declaration, config, host);
    if (this.#read.problem) this.#problem ??= asTenantError(this.#read.problem);
    this.#status = new StatusLine(RED, node, this.#tenant);
    this.#refuse = refuser(RED, this.#actor, this.#tenant.mode, this.#status);
    this.#registry = EscalationRegistry.of(node.id);
    this.#open();
  }

  #open(): void {
    const [RED, node, status, registry] = [this.#RED, this.#node, this.#status, this.#registry];
    const { client } = this.#tenant;
    const mailbox = Mailbox.of(RED, node.id);
    const instance = { tenant: this.#tenant, show: () => this.#show() };
    if (this.#problem) status.failed(this.#problem);
    else if (registry.count === 0) status.rest();
    mailbox.attach(node);
    registry.attach(instance);
    this.#show();
    const unfollow = client?.follow({ changed: () => this.#show() });
    node.on("input", (message, send, done) => {
      const result = Mailbox.takeResult(message);
      if (result) this.#answer(message, result, send, done);
      else this.#input(message, send, done);
    });
    node.on("close", () => {
      unfollow?.();
      registry.detach(instance);
      mailbox.detach(node);
    });
  }

  /** Never throws, which would end the process. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    try {
      const resolution = resolutionOf(message);
      if (resolution) this.#registry.awaitResolution(this.#resolve(message, resolution, done));
      else void this.#begin(message, send, done);
    } catch (error) {
      this.#refuse(message, error, done);
    }
  }

  /** Ends an incident, here or at another Node-RED. If none runs, it may only end the quiet time. Never rejects. */
  async #resolve(message: NodeMessage, resolution: Resolution, done: Done): Promise<void> {
    try {
      const name = recordName(this.#actor.type, this.#node.id, await this.#read.key(message));
      const run = this.#registry.find(name);
      run?.apply(resolution);
      const told = run
        ? { changed: run.resolution === resolution }
        : await resolveElsewhere(usable(this.#tenant).client, name, resolution, this.#limits.quietForMs);
      answerOf(message)?.tell(accepted(told));
      deliver(this.#RED, this.#actor.type, message, "applied", done);
    } catch (error) {
      this.#refuse(message, error, done);
    }
  }

  /** Never rejects. */
  async #begin(message: NodeMessage, send: Send, done: Done): Promise<void> {
    const { mode } = this.#tenant;
    const respond = { answer: this.#answer, send, done };
    const pending = new Pending(message, this.#actor.type, mode, this.#node, respond);
    const mailbox = Mailbox.of(this.#RED, this.#node.id);
    mailbox.track(pending);
    try {
      if (this.#problem) throw this.#problem;
      const { settings, client } = usable(this.#tenant);
      const [reading, calling] = [this.#read.key(message), this.#read.calls(message, settings)];
      // An incident that runs already does not need it.
      calling.catch(() => {});
      const key = await reading;
      const name = recordName(this.#actor.type, this.#node.id, key);
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
        mailbox.settle(pending, changesNothing());
      } else if (mailbox.isAbandonedBy(this.#node) || pending.recorded) throw dropped();
      else {
        const run = this.#registry.begin(this.#RED, client, { name, key, pending, startedAt: Date.now() });
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
      }
    } catch (error) {
      mailbox.settle(pending, notBegun(asTenantError(error)));
    }
  }

  #warn(problem: ValueError): void {
    const reason = sentence(this.#RED, asTenantError(problem), this.#actor);
    swallowErrors(() => this.#node.warn(shared(this.#RED, "log.personLeftOut", { reason })));
  }

  /** Ends the first message of an incident: sends it to the output of its result, or fails it. */
  readonly #answer: Answer = (message, result, send, done) => {
    deliver(this.#RED, this.#actor.type, message, outcomeOf(result), () => {
      const { mode = this.#tenant.mode } = result;
      if (!result.ok) {
        if (!this.#show()) this.#status.failed(result.error, mode);
        done(failure(this.#RED, this.#actor, mode, result));
        return;
      }
      if (!result.sentOn) {
        const payload = result.data as ReturnType<typeof report>;
        const as = payload.over ? "over" : payload.acknowledgedBy === null ? "nobodyAcknowledged" : "acknowledged";
        if (!this.#show()) this.#ended(as);
        const out = writable(message, ["payload", "telephony"]) as OpenMessage;
        const { restored } = Object(out["telephony"]) as { readonly restored?: object };
        out["payload"] = payload;
        out["telephony"] = { action: this.#actor.type, mode, ...(restored && { restored }) };
        send(as === "nobodyAcknowledged" ? [null, out] : [out, null]);
      } else this.#show();
      done();
    });
  };

  /** Shows how far the incidents have come. Returns whether there is anything to show. */
  #show(): boolean {
    const { count, shown } = this.#registry;
    if (this.#problem) {
      this.#status.failed(this.#problem);
      return true;
    }
    const { lanes } = this.#tenant.client ?? {};
    if (lanes?.reason !== undefined && lanes.failure === undefined) {
      this.#status.waiting({ count: 1 }, { ...lanes, paused: false });
      this.#isHeld = true;
      return true;
    }
    if (this.#isHeld) this.#status.rest();
    this.#isHeld = false;
    if (!shown || !lanes) return false;
    const { heldBack, failure } = lanes;
    if (failure !== undefined) this.#status.show("red", "ring", "noBacklog");
    else if (heldBack > 0 && shown.hasPending)
      this.#status.waiting({ count: 1, heldBack }, { ...lanes, paused: false, callingHours: undefined });
    else if (shown.position && count > 1)
      this.#status.show("blue", "dot", "ringingSeveral", { ...shown.position, count });
    else if (shown.position) this.#status.show("blue", "dot", "ringing", { ...shown.position });
    return true;
  }

  #ended(as: "acknowledged" | "over" | "nobodyAcknowledged"): void {
    const [fill, shape] = this.#tenant.mode === "live" ? (["green", "dot"] as const) : (["yellow", "ring"] as const);
    this.#status.show(as === "nobodyAcknowledged" ? "yellow" : fill, shape, as, { time: timeOfDay(Date.now()) });
  }
}
