import type { Node, NodeAPI, NodeMessage } from "node-red";
import { asConfigError, dropped, type Job, type JobResult, outcomeOf, type TenantError } from "../../../client";
import { CODES } from "../../../client/errors";
import { type Config, type Reader, reader } from "../../../fields";
import { hostZone, instantFormatter } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { isObject } from "../../../json/rules";
import { failUnlogged, failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import { Mailbox } from "../../delivery/mailbox";
import { deliver } from "../../delivery/message-log";
import { type Answer, type Done, Pending, type Send } from "../../delivery/pending";
import { Progress } from "../../delivery/progress";
import { hostOf } from "../../node-red/host";
import { StatusLine } from "../../node-red/status";
import { asTenantError } from "../../node-red/texts";
import { eachOf, wholeList } from "../../schedules/pages";
import { chosenTenant, guardedBy, type Tenant, type UsableTenant, usable } from "../../tenants/chosen-tenant";
import { conditionReader } from "./conditions";
import type { Action, RunTools, Shape } from "./declaration";
import { shapeOf } from "./modes";
import { factsOf, itemMessage, type OpenMessage, rowOf } from "./outgoing";
import { target as prepareTarget, type Target, writable } from "./target";

const FOLLOW = { all: wholeList, each: eachOf } as const;

export function actionNode(...args: ConstructorParameters<typeof ActionNode>): void {
  new ActionNode(...args);
}

/** A node that sends a request for each message, and passes the answer or the error on. See docs/message-path.md. */
class ActionNode {
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #action: Action;
  readonly #tenant: Tenant;
  readonly #shape: Shape | undefined;
  readonly #read: Reader<Shape["fields"]> | undefined;
  readonly #conditions: ReturnType<typeof conditionReader> | undefined;
  /** ERR_CONFIG, if the tenant or the node is badly configured: every message fails with it. */
  readonly #problem: TenantError | undefined;
  readonly #target: Target;
  readonly #targetProperty: string;
  readonly #progress: Progress;
  readonly #mailbox: Mailbox;
  /** Formats instants in the tenant's zone. */
  readonly #formatter = memoizeLast(() => instantFormatter(this.#tenant.settings?.timezone || hostZone()));

  constructor(RED: NodeAPI, node: Node, config: Config, action: Action) {
    this.#RED = RED;
    this.#node = node;
    this.#action = action;
    this.#tenant = chosenTenant(RED, config, node);
    this.#problem = this.#tenant.problem;
    const host = { ...hostOf(RED, node, action), mayBeTwo: guardedBy(this.#tenant) };
    try {
      this.#shape = shapeOf(action, config);
      this.#read = reader(this.#shape.fields, config, host);
      if (this.#read.problem) throw this.#read.problem;
      this.#conditions = conditionReader(action, config, node.id, host, this.#tenant);
    } catch (error) {
      this.#problem ??= asConfigError(error);
    }
    const property = config["target"];
    this.#targetProperty = typeof property === "string" && property !== "" ? property : "payload";
    this.#target = prepareTarget(RED, this.#targetProperty);
    this.#progress = Progress.of(RED, node.id);
    this.#mailbox = Mailbox.of(RED, node.id);
    this.#open();
  }

  #open(): void {
    const [RED, node, progress] = [this.#RED, this.#node, this.#progress];
    const { client } = this.#tenant;
    const status = new StatusLine(RED, node, this.#tenant, this.#action.effect);
    progress.showOn(status, this.#action.lane === "callOut" ? client : undefined, this.#conditions?.isAnytime);
    if (this.#problem) status.failed(this.#problem);
    else progress.rest();
    const unfollow = client?.follow({ changed: () => progress.holdChanged() });
    this.#mailbox.attach(node);
    node.on("input", (message, send, done) => {
      const result = Mailbox.takeResult(message);
      if (result) this.#answer(message, result, send, done);
      else this.#input(message, send, done);
    });
    node.on("close", () => {
      unfollow?.();
      progress.leave(status);
      this.#mailbox.detach(node);
    });
  }

  /** Nothing here awaits the result: the frame of an async function costs a waiting call more memory than its request. */
  #input(message: NodeMessage, send: Send, done: Done): void {
    const { type, effect } = this.#action;
    const respond = { answer: this.#answer, send, done };
    const pending = new Pending(message, type, this.#tenant.mode, this.#node, respond);
    pending.isRead = effect === "none";
    this.#mailbox.track(pending);
    // A rejection would end the process.
    void this.#begin(pending).then(
      (result) => result && this.#mailbox.settle(pending, result),
      (error: unknown) => this.#mailbox.settle(pending, notBegun(asTenantError(error))),
    );
  }

  /** Reads a message, and sends its request. Resolves to `undefined` if the request is under way, and its end ends the message. */
  async #begin(pending: Pending): Promise<JobResult | undefined> {
    const { job, values } = await this.#prepare(pending.message);
    // Reading the values may have taken longer than the node existed, or Node-RED ran.
    if (this.#mailbox.isAbandonedBy(this.#node)) throw dropped();
    const tenant = usable(this.#tenant);
    const { pages, run } = this.#shape as Shape;
    if (run) return run(values as never, this.#tools(job, tenant, pending));
    if (pages) return this.#follow(pages, job, tenant, pending);
    this.#start(tenant, job, pending);
    return undefined;
  }

  /** Reads the message, and makes its job. */
  async #prepare(message: NodeMessage): Promise<{ job: Job; values: Readonly<Record<string, unknown>> }> {
    if (this.#problem) throw this.#problem;
    this.#target.check(message);
    // Both readers take what they can from the message before the first await: the flow may change it later.
    // If both fail, both failures are handled: an unhandled one would end the process.
    const [values = {}, conditions] = await Promise.all([this.#read?.read(message), this.#conditions?.read(message)]);
    const { mode, settings } = usable(this.#tenant);
    const [shape, read] = [this.#shape as Shape, this.#read as Reader<Shape["fields"]>];
    const request = read.build(() => shape.request(values as never, settings), message);
    const { type, lane = "other", repeat, loggedData } = this.#action;
    const logged = mode === "log" && request.method === "POST" && { loggedData: loggedData?.(request.body) ?? null };
    const id = String(message._msgid);
    const job = { id, nodeId: this.#node.id, action: type, lane, repeat, request, ...conditions, ...logged };
    return { job, values };
  }

  #start({ client }: UsableTenant, job: Job, pending: Pending, part?: (result: JobResult) => void): void {
    if (pending.recorded) throw dropped();
    this.#progress.start(client, job, pending, part);
  }

  /** One of several requests of a message. */
  #send(tenant: UsableTenant, job: Job, pending: Pending): Promise<JobResult> {
    // What `start` throws rejects.
    return new Promise((resolve) => this.#start(tenant, job, pending, resolve));
  }

  #tools(job: Job, tenant: UsableTenant, pending: Pending): RunTools {
    const { id, mode, settings } = tenant;
    const { origin = id, prefix = "" } = settings.address ?? {};
    return {
      onlyLogs: mode === "log",
      target: `${mode} ${origin}${prefix}`,
      send: async (request) => {
        const repeat = request.method === "POST" ? "never" : job.repeat;
        try {
          // The node was deleted meanwhile: what it has begun may end, but it begins nothing new.
          if (request.method === "POST" && this.#mailbox.isAbandonedBy(this.#node)) throw dropped();
          const result = await this.#send(tenant, { ...job, repeat, request }, pending);
          if (request.method !== "GET" && ["applied", "unknown"].includes(outcomeOf(result))) pending.changed = true;
          return result;
        } catch (error) {
          return notBegun(asTenantError(error));
        }
      },
    };
  }

  #follow(pages: "all" | "each", job: Job, tenant: UsableTenant, pending: Pending): Promise<JobResult> {
    const id = this.#RED.util.generateId();
    const { message, respond } = pending;
    const { mode } = tenant;
    return FOLLOW[pages]({
      request: job.request,
      send: async (request) => {
        const result = await this.#send(tenant, { ...job, request }, pending);
        // An item sent while other nodes are stopped or not yet started would be lost.
        await flows.untilRunning();
        return result;
      },
      emitter: (page) => {
        const facts = factsOf(this.#action.type, page, mode);
        return (item, place) => {
          if (!this.#mailbox.isAttached(this.#node)) return false;
          const out = itemMessage(this.#RED, message, { id, ...place }, facts);
          this.#target.set(out, item);
          respond?.send(out);
          return true;
        };
      },
      progress: (page, pages) => this.#progress.page(page, pages),
    });
  }

  /** Ends a message: sends it on with the answer, or fails it. */
  readonly #answer: Answer = (message, result, send, done) => {
    deliver(this.#RED, this.#action.type, message, outcomeOf(result), () => {
      const { mode = this.#tenant.mode } = result;
      // A predecessor's success does not make a badly configured node work.
      if (!result.ok || !this.#problem) this.#progress.ended(result);
      if (!result.ok && this.#conditions?.ignoresRepeats && result.error.code === "ERR_DUPLICATE") {
        done();
        return;
      }
      const row = this.#rowOf(message as OpenMessage, result);
      if (!result.ok) {
        const { telephony } = message as OpenMessage;
        // A Catch node gets the message that came in, so it is the one that is written to. A frozen one stays as it is.
        if (row && writable(message, ["telephony"]) === message)
          Object.assign(message, { telephony: { ...(isObject(telephony) && telephony), ...row } });
        const error = failure(this.#RED, this.#action, mode, result);
        // The sender has the answer to its repetition. A log full of errors would say that something is wrong.
        if (result.isAnswered && CODES[result.error.code].log === "unless answered")
          failUnlogged(this.#node, error, done);
        else done(error);
        return;
      }
      if (!result.sentOn) {
        const written = ["envelope", "statusCode", "callId", "telephony", this.#targetProperty];
        const out = writable(message, written) as OpenMessage;
        const { telephony, ...facts } = factsOf(this.#action.type, result, mode);
        Object.assign(out, { ...facts, telephony: { ...telephony, ...row } });
        if (typeof result.summary["callId"] === "string") out["callId"] = result.summary["callId"];
        this.#target.set(out, result.data);
        send(out);
      }
      done();
    });
  };

  /** Actions on calls have a lane of their own. */
  #rowOf(message: OpenMessage, result: JobResult) {
    return this.#action.lane && { row: rowOf(this.#RED, message, result, this.#formatter()(Date.now())) };
  }
}
