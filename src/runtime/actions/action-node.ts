import type { Node, NodeAPI, NodeMessage } from "node-red";
import { type Config, FieldError, isGiven, type Reader, reader } from "../../fields";
import { type Job, type JobResult, notSent, outcomeOf, type Request, type TenantError } from "../../tenant";
import { followCommands } from "../control/command";
import { failure, notBegun } from "../delivery/failure";
import { arrived, claim, expect, handedOverEnd, isGone, isOwner, leave, type Pending } from "../delivery/mailbox";
import { deliver } from "../delivery/message-log";
import { Progress } from "../delivery/progress";
import { hostOf } from "../node-red/host";
import { StatusLine } from "../node-red/status";
import { asTenantError } from "../node-red/texts";
import { chosenTenant, type Tenant } from "../tenants/chosen-tenant";
import type { Action, Hotline, Shape } from "./action";
import { type ConditionReader, type Conditions, conditionReader, scopeProblem } from "./conditions";
import { factsOf, itemMessage, type OpenMessage } from "./outgoing";
import type { Run } from "./pages";
import { target as prepareTarget, type Target, writable } from "./target";

type Send = (message: NodeMessage) => void;
type Done = (error?: Error) => void;

/** A node of the palette at work: message in, request out, answer or error on. */
export class ActionNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #action: Action;
  readonly #tenant: Tenant;
  readonly #shape: Shape | undefined;
  readonly #read: Reader<Shape["fields"]> | undefined;
  readonly #scopeProblem: TenantError | undefined;
  readonly #conditions: ConditionReader;
  readonly #target: Target;
  readonly #targetProperty: string;
  readonly #progress: Progress;

  constructor(RED: NodeAPI, node: Node, config: Config, action: Action) {
    this.#RED = RED;
    this.#node = node;
    this.#action = action;
    this.#tenant = chosenTenant(RED, config);
    const chosen = config[action.modeProperty ?? "mode"];
    const mode = isGiven(chosen) ? chosen : Object.keys(action.modes)[0];
    this.#shape = Object.hasOwn(action.modes, String(mode)) ? action.modes[String(mode)] : undefined;
    const host = hostOf(RED, node);
    this.#read = this.#shape && reader(this.#shape.fields, config, host);
    this.#scopeProblem = scopeProblem(action, config);
    this.#conditions = conditionReader(action, config, node.id, host);
    const property = config["target"];
    this.#targetProperty = typeof property === "string" && property !== "" ? property : "payload";
    this.#target = prepareTarget(RED, this.#targetProperty);
    const status = new StatusLine(RED, node, this.#tenant.mode ?? "live");
    const client = this.#tenant.client;
    this.#progress = Progress.of(node.id);
    this.#progress.showOn(status, () => action.type === "call-out" && client?.lanes.paused === true);
    if (this.#problem()) status.failed("ERR_CONFIG", false);
    else this.#progress.rest();
    const unfollow = client && followCommands(client, () => this.#progress.renew());
    claim(node.id, node);
    // A simulated tenant listens, or cannot, only after the nodes are there.
    void client?.opened.then((error) => error && status.failed(error.code, false));
    node.on("input", (message, send, done) => this.#input(message, send, done));
    node.on("close", (removed: boolean, closed: () => void) => {
      unfollow?.();
      status.close(removed);
      this.#progress.leave(status);
      leave(RED, node.id, node, removed);
      if (removed) client?.dropOf(node.id);
      closed();
    });
  }

  /** Never throws and never rejects: either would end the whole process. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    const end = handedOverEnd(message);
    if (end) {
      this.#deliver(message, end, send, done);
      return;
    }
    const { id } = this.#node;
    const pending: Pending = {
      message,
      action: this.#action.type,
      owner: this.#node,
      deliver: (ended) => this.#deliver(message, ended, send, done),
    };
    expect(id);
    const fail = (error: unknown) => arrived(this.#RED, id, pending, notBegun(asTenantError(error)));
    try {
      const problem = this.#problem();
      if (problem) throw problem;
      this.#target.check(message);
      const values = this.#read?.(message) ?? {};
      // The conditions may throw before anybody awaits the values: a rejection that nobody hears ends the process.
      if (values instanceof Promise) values.catch(() => {});
      const conditions = this.#conditions(message);
      if (values instanceof Promise || conditions instanceof Promise) {
        Promise.all([values, conditions])
          .then((read) => this.#perform(pending, send, ...read))
          .catch(fail);
      } else this.#perform(pending, send, values, conditions);
    } catch (error) {
      fail(error);
    }
  }

  #problem() {
    if (this.#tenant.problem) return this.#tenant.problem;
    if (!this.#shape) {
      const field = this.#action.modeProperty ?? "mode";
      const choices = Object.keys(this.#action.modes).join(", ");
      return notSent("ERR_CONFIG", "config", { key: "config.notChoice", field, params: { field, choices } });
    }
    return this.#scopeProblem;
  }

  #perform(pending: Pending, send: Send, values: Readonly<Record<string, unknown>>, conditions: Conditions): void {
    const { client, settings } = this.#tenant;
    if (!client || !settings || !this.#shape) return;
    // Reading the fields may have taken longer than the node has lived.
    if (isGone(this.#node.id)) throw notSent("ERR_DROPPED", "queue", { retryable: true });
    const { type, repeat } = this.#action;
    const job: Job = {
      id: String(pending.message._msgid),
      nodeId: this.#node.id,
      action: type,
      lane: type === "call-out" ? "callOut" : "other",
      repeat,
      request: this.#request(this.#shape, values, settings),
      ...conditions,
    };
    const { mode } = settings;
    const arrive = (end: JobResult) => arrived(this.#RED, this.#node.id, pending, { ...end, mode });
    if (!this.#shape.run) {
      this.#progress.submit(client, job, arrive);
      return;
    }
    const partsId = this.#RED.util.generateId();
    const run: Run = {
      request: job.request,
      ask: (request) => new Promise((resolve) => this.#progress.submit(client, { ...job, request }, resolve)),
      emitter: (page) => {
        const facts = factsOf(type, page, mode);
        return (item, place) => {
          if (!isOwner(this.#node.id, this.#node)) return false;
          const out = itemMessage(this.#RED, pending.message, { id: partsId, ...place }, facts);
          this.#target.set(out, item);
          send(out);
          return true;
        };
      },
      progress: (page, pages) => this.#progress.page(page, pages),
    };
    void this.#shape
      .run(run)
      .catch((error: unknown) => notBegun(asTenantError(error)))
      .then(arrive);
  }

  #request({ request }: Shape, values: Readonly<Record<string, unknown>>, hotline: Hotline): Request {
    try {
      return request(values as never, hotline);
    } catch (error) {
      if (error instanceof FieldError) error.source ??= this.#read?.looked(error.field);
      throw error;
    }
  }

  #deliver(message: NodeMessage, end: JobResult, send: Send, done: Done): void {
    deliver(this.#RED, this.#action.type, message, outcomeOf(end), () => this.#pass(message, end, send, done));
  }

  #pass(message: NodeMessage, end: JobResult, send: Send, done: Done): void {
    const mode = end.mode ?? this.#tenant.mode;
    // A predecessor's success says nothing of what this node can do.
    if (!end.ok || !this.#problem()) this.#progress.ended(end);
    if (!end.ok) {
      done(failure(this.#RED, this.#action.type, mode, end));
      return;
    }
    if (end.sentOn) {
      done();
      return;
    }
    const written = ["envelope", "statusCode", "callId", "telephony", this.#targetProperty];
    const out = writable(message, written) as OpenMessage;
    Object.assign(out, factsOf(this.#action.type, end, mode));
    if (typeof end.asked["callId"] === "string") out["callId"] = end.asked["callId"];
    this.#target.set(out, end.data);
    send(out);
    done();
  }
}
