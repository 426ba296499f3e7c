import type { Node, NodeAPI, NodeMessage } from "node-red";
import type { Config } from "../../fields";
import { hostZone, loadZone } from "../../hours";
import type { TenantError } from "../../tenant";
import { writable } from "../actions/target";
import { failure, notBegun } from "../delivery/failure";
import { claim, leave, leaveBehind, type Pending } from "../delivery/mailbox";
import { deliver } from "../delivery/message-log";
import { hostOf } from "../node-red/host";
import { asTenantError } from "../node-red/texts";
import { chosenTenant, type Tenant, usable } from "../tenants/chosen-tenant";
import type { BusinessHour } from "./business-hour";
import { type GateInputs, type GateRequest, type GateSources, gateSources } from "./inputs";
import { GateJudge } from "./judge";
import { type CurrentVerdict, GateStatus } from "./status";

type Send = (messages: [NodeMessage | null, NodeMessage | null]) => void;
type Done = (error?: Error) => void;

const ACTION = "business-hour-gate";

/** Routes messages by a schedule: untouched but for `msg.businessHour`, to the first output when open. */
export class GateNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #tenant: Tenant;
  readonly #status: GateStatus;
  readonly #waiting = new Set<Pending>();
  #sources: GateSources | undefined;
  #problem: TenantError | undefined;
  /** There as soon as the zone is loaded. */
  #judge: GateJudge | undefined;
  #ready: Promise<void> = Promise.resolve();
  /** What the last message was judged by: the status follows that where schedules or exceptions come with messages. */
  #matter: GateInputs | undefined;
  #unfollow: (() => void) | undefined;
  #closed = false;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.#RED = RED;
    this.#node = node;
    this.#tenant = chosenTenant(RED, config);
    this.#status = new GateStatus(RED, node, () => this.#judgeNow());
    claim(node.id, node);
    node.on("input", (message, send, done) => this.#input(message, send as unknown as Send, done));
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#close(removed);
      closed();
    });
    try {
      this.#open(gateSources(config, hostOf(RED, node)));
    } catch (error) {
      this.#refuse(asTenantError(error));
    }
  }

  #open(sources: GateSources): void {
    this.#sources = sources;
    if (sources.usesTenant) usable(this.#tenant);
    const book = this.#tenant.schedules;
    this.#ready = loadZone(sources.timezone || this.#tenant.settings?.timezone || hostZone()).then(
      (zone) => {
        if (this.#closed) return;
        this.#judge = new GateJudge(zone, sources, book, (problem) => this.#status.failed(problem));
        this.#status.zone = zone;
        if (sources.fixedKey && book) {
          this.#unfollow = book.follow(sources.fixedKey, this, sources.refreshMs, () => this.#status.renew());
        }
        this.#status.renew();
      },
      (error: unknown) => this.#refuse(asTenantError(error)),
    );
  }

  #refuse(problem: TenantError): void {
    this.#problem = problem;
    this.#status.failed(problem);
  }

  #close(removed: boolean): void {
    this.#closed = true;
    this.#status.close(removed);
    this.#unfollow?.();
    // What still waits for the first reading of a schedule is judged by the successor; without one, the log tells of it.
    for (const pending of this.#waiting) leaveBehind(this.#RED, this.#node.id, pending);
    this.#waiting.clear();
    leave(this.#RED, this.#node.id, this.#node, removed);
  }

  /** Never throws and never rejects. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    try {
      const answer = this.#judge && !this.#problem ? this.#answer(message) : this.#later(message);
      if (!(answer instanceof Promise)) {
        this.#pass(message, answer, send, done);
        return;
      }
      const pending: Pending = { message, action: ACTION, owner: this.#node, deliver: () => {} };
      this.#waiting.add(pending);
      answer.then(
        (businessHour) => this.#waiting.delete(pending) && this.#pass(message, businessHour, send, done),
        (error: unknown) => this.#waiting.delete(pending) && this.#fail(message, error, done),
      );
    } catch (error) {
      this.#fail(message, error, done);
    }
  }

  async #later(message: NodeMessage): Promise<BusinessHour> {
    await this.#ready;
    if (this.#problem) throw this.#problem;
    return this.#answer(message);
  }

  #answer(message: NodeMessage): BusinessHour | Promise<BusinessHour> {
    const question = (this.#sources as GateSources).ask(message);
    return question instanceof Promise ? question.then((asked) => this.#decide(asked)) : this.#decide(question);
  }

  #decide(question: GateRequest): BusinessHour | Promise<BusinessHour> {
    if (!isAlike(this.#matter, question)) this.#status.forget();
    this.#matter = question;
    return (this.#judge as GateJudge).judge(question);
  }

  /** What the status shows between messages. */
  #judgeNow(): CurrentVerdict | Promise<CurrentVerdict> {
    if (this.#problem) return this.#problem;
    try {
      const { standing } = this.#sources ?? {};
      const matter = standing ? standing() : this.#matter;
      if (!(matter instanceof Promise)) return this.#judge?.standing(matter);
      return matter.then((known) => this.#judge?.standing(known)).catch(asTenantError);
    } catch (error) {
      return asTenantError(error);
    }
  }

  #pass(message: NodeMessage, businessHour: BusinessHour, send: Send, done: Done): void {
    if (businessHour.reason !== "unknown") this.#status.judged(businessHour);
    deliver(this.#RED, ACTION, message, "not-applied", () => {
      const out = writable(message, ["businessHour"]) as NodeMessage & { businessHour?: BusinessHour };
      out.businessHour = businessHour;
      send(businessHour.open ? [out, null] : [null, out]);
      done();
    });
  }

  #fail(message: NodeMessage, error: unknown, done: Done): void {
    const problem = asTenantError(error);
    this.#status.failed(problem);
    const tell = () => done(failure(this.#RED, ACTION, this.#tenant.mode, notBegun(problem)));
    deliver(this.#RED, ACTION, message, "not-applied", tell);
  }
}

function isAlike(a: GateInputs | undefined, b: GateInputs): boolean {
  return (
    a?.schedule === b.schedule && a?.exceptions === b.exceptions && JSON.stringify(a?.key) === JSON.stringify(b.key)
  );
}
