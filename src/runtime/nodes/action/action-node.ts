import type { Node, NodeAPI, NodeMessage } from "node-red";
import { dropped, type Job, type JobResult, outcomeOf } from "../../../client";
import { CODES } from "../../../client/errors";
import { type Config, type Reader, reader } from "../../../fields";
import { hostZone, instantFormatter } from "../../../hours";
import { memoizeLast } from "../../../hours/memoize";
import { isObject } from "../../../json/rules";
import { failUnlogged, failure, notBegun } from "../../delivery/failure";
import { flows } from "../../delivery/flow-lifecycle";
import type { Answer, Pending } from "../../delivery/pending";
import { Progress } from "../../delivery/progress";
import { asTenantError } from "../../node-red/texts";
import { eachOf, wholeList } from "../../schedules/pages";
import { chosenTenant, type UsableTenant, usable } from "../../tenants/chosen-tenant";
import { TelephonyNode } from "../telephony-node";
import { conditionReader } from "./conditions";
import type { Action, RunTools, Shape } from "./declaration";
import { shapeOf } from "./modes";
import { factsOf, itemMessage, type OpenMessage, rowOf } from "./outgoing";
import { target as prepareTarget, type Target, writable } from "./target";

const FOLLOW = { all: wholeList, each: eachOf } as const;

/** The readers of a node's messages. */
interface Reading {
  readonly shape: Shape;
  readonly fields: Reader<Shape["fields"]>;
  readonly conditions: ReturnType<typeof conditionReader>;
}

export function actionNode(...args: ConstructorParameters<typeof ActionNode>): void {
  new ActionNode(...args);
}

/** A node that sends a request for each message, and passes the answer or the error on. See docs/message-path.md. */
class ActionNode extends TelephonyNode {
  /** `undefined` if the node is badly configured. */
  readonly #reading: Reading | undefined;
  readonly #target: Target;
  readonly #targetProperty: string;
  readonly #progress: Progress;
  /** Formats instants in the tenant's zone. */
  readonly #formatter = memoizeLast(() => instantFormatter(this.tenant.settings?.timezone || hostZone()));

  constructor(
    RED: NodeAPI,
    node: Node,
    config: Config,
    private readonly action: Action,
  ) {
    super(RED, node, chosenTenant(RED, config, node), action);
    const { tenant } = this;
    this.#reading = this.read(() => {
      const host = this.host();
      const shape = shapeOf(action, config);
      const fields = reader(shape.fields, config, host);
      if (fields.problem) throw fields.problem;
      return { shape, fields, conditions: conditionReader(action, config, node.id, host, tenant) };
    });
    const property = config["target"];
    this.#targetProperty = typeof property === "string" && property !== "" ? property : "payload";
    this.#target = prepareTarget(RED, this.#targetProperty);
    this.#progress = Progress.of(RED, node.id);
    const held = action.lane === "callOut" ? tenant.client : undefined;
    this.#progress.showOn(this.status, held, this.#reading?.conditions.isAnytime);
    if (!this.problem) this.#progress.rest();
    this.open();
  }

  protected override changed(): void {
    this.#progress.holdChanged();
  }

  protected override closed(): void {
    this.#progress.leave(this.status);
  }

  /** Reads a message, and sends its request. Resolves to `undefined` if the request is under way, and its end ends the message. */
  protected override async begin(pending: Pending): Promise<JobResult | undefined> {
    if (this.problem) throw this.problem;
    const tenant = usable(this.tenant);
    const reading = this.#reading as Reading;
    const { job, values } = await this.#prepare(pending.message, reading, tenant);
    // Reading the values may have taken longer than the node existed, or Node-RED ran.
    if (this.mailbox.isAbandonedBy(this.node)) throw dropped();
    const { pages, run } = reading.shape;
    if (run) return run(values as never, this.#tools(job, tenant, pending));
    if (pages) return this.#follow(pages, job, tenant, pending);
    this.#progress.start(tenant.client, job, pending);
    return undefined;
  }

  /** Reads the message, and makes its job. */
  async #prepare(message: NodeMessage, { shape, fields, conditions }: Reading, { mode, settings }: UsableTenant) {
    this.#target.check(message);
    // Both readers take what they can from the message before the first await: the flow may change it later.
    // If both fail, both failures are handled: an unhandled one would end the process.
    const [values, limits] = await Promise.all([fields.read(message), conditions.read(message)]);
    const request = fields.build(() => shape.request(values as never, settings), message);
    const { type, lane = "other", repeat, loggedData } = this.action;
    const logged = mode === "log" && request.method === "POST" && { loggedData: loggedData?.(request.body) ?? null };
    const [id, nodeId] = [String(message._msgid), this.node.id];
    const job: Job = { id, nodeId, action: type, lane, repeat, request, ...limits, ...logged };
    return { job, values };
  }

  /** One of several requests of a message. */
  #send({ client }: UsableTenant, job: Job, pending: Pending): Promise<JobResult> {
    // What `start` throws rejects.
    return new Promise((resolve) => this.#progress.start(client, job, pending, resolve));
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
          if (request.method === "POST" && this.mailbox.isAbandonedBy(this.node)) throw dropped();
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
    const id = this.RED.util.generateId();
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
        const facts = factsOf(this.action.type, page, mode);
        return (item, place) => {
          if (!this.mailbox.isAttached(this.node)) return false;
          const out = itemMessage(this.RED, message, { id, ...place }, facts);
          this.#target.set(out, item);
          respond?.send(out);
          return true;
        };
      },
      progress: (page, pages) => this.#progress.page(page, pages),
    });
  }

  /** Ends a message: sends it on with the answer, or fails it. */
  protected override readonly answer: Answer = (message, result, send, done) => {
    this.deliver(message, outcomeOf(result), () => {
      const { mode = this.tenant.mode } = result;
      // A predecessor's success does not make a badly configured node work.
      if (!result.ok || !this.problem) this.#progress.ended(result);
      if (!result.ok && this.#reading?.conditions.ignoresRepeats && result.error.code === "ERR_DUPLICATE") {
        done();
        return;
      }
      const row = this.#rowOf(message as OpenMessage, result);
      if (!result.ok) {
        const { telephony } = message as OpenMessage;
        // A Catch node gets the message that came in, so it is the one that is written to. A frozen one stays as it is.
        if (row && writable(message, ["telephony"]) === message)
          Object.assign(message, { telephony: { ...(isObject(telephony) && telephony), ...row } });
        const error = failure(this.RED, this.action, mode, result);
        // The sender has the answer to its repetition. A log full of errors would say that something is wrong.
        if (result.isAnswered && CODES[result.error.code].log === "unless answered")
          failUnlogged(this.node, error, done);
        else done(error);
        return;
      }
      if (!result.sentOn) {
        const written = ["envelope", "statusCode", "callId", "telephony", this.#targetProperty];
        const out = writable(message, written) as OpenMessage;
        const { telephony, ...facts } = factsOf(this.action.type, result, mode);
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
    return this.action.lane && { row: rowOf(this.RED, message, result, this.#formatter()(Date.now())) };
  }
}
