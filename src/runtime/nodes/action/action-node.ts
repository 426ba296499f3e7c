import type { Node, NodeAPI, NodeMessage } from "node-red";
import { dropped, type Job, type JobResult, outcomeOf, type Request } from "../../../client";
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
import { type Conditions, conditionReader } from "./conditions";
import type { Action, RunTools, Shape } from "./declaration";
import { shapeOf } from "./modes";
import { factsOf, itemMessage, type OpenMessage, rowOf } from "./outgoing";
import { target as prepareTarget, type Target, writable } from "./target";

const FOLLOW = { all: wholeList, each: eachOf } as const;

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
    this.#progress.showOn(this.status, held, { anytime: this.#reading?.conditions.isAnytime });
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
  protected override begin(pending: Pending): Promise<JobResult | undefined> {
    return this.#begin(pending).catch((error: unknown) => {
      // What began nothing is not known to the client.
      if (!this.tenant.problem && this.action.lane === "callOut")
        this.tenant.statistics.today.count(this.node.id, notBegun(asTenantError(error)));
      throw error;
    });
  }

  async #begin(pending: Pending): Promise<JobResult | undefined> {
    if (this.problem) throw this.problem;
    const tenant = usable(this.tenant);
    const { message } = pending;
    const { shape, fields, conditions } = this.#reading as Reading;
    this.#target.check(message);
    // Both readers take what they can from the message before the first await: the flow may change it later.
    const [given, limited] = [fields.read(message), conditions.read(message)];
    // If both fail, both failures are handled: an unhandled one would end the process.
    const isLate = given instanceof Promise || limited instanceof Promise;
    const [values, limits] = isLate ? await Promise.all([given, limited]) : [given, limited];
    const request = fields.build(() => shape.request(values as never, tenant.settings), message);
    const again = pending.again && { again: pending.again.id };
    const job: Job = { ...this.#job(message, request, limits, tenant), ...again };
    // Reading the values may have taken longer than the node existed, or Node-RED ran.
    if (this.mailbox.isAbandonedBy(this.node)) throw dropped();
    const { pages, run } = shape;
    if (run) return run(values as never, this.#tools(job, tenant, pending));
    if (pages) return this.#follow(pages, job, tenant, pending);
    this.#progress.start(tenant.client, job, pending);
    return undefined;
  }

  #job({ _msgid }: NodeMessage, request: Request, limits: Conditions, { mode }: UsableTenant): Job {
    const { type: action, lane = "other", repeat, loggedData } = this.action;
    const logged = mode === "log" && request.method === "POST" && { loggedData: loggedData?.(request.body) ?? null };
    return { id: String(_msgid), nodeId: this.node.id, action, lane, repeat, request, ...limits, ...logged };
  }

  /** Sends one of several requests of a message. */
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
        return (data, item) => {
          if (!this.mailbox.isAttached(this.node)) return false;
          const out = itemMessage(this.RED, message, { id, ...item }, facts);
          this.#target.set(out, data);
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
      const again = result.again && { again: true };
      if (!result.ok) {
        const { telephony } = message as OpenMessage;
        // A Catch node gets the message that came in, so it is the one that is written to. A frozen one stays as it is.
        if (row && writable(message, ["telephony"]) === message)
          Object.assign(message, { telephony: { ...(isObject(telephony) && telephony), ...row, ...again } });
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
        Object.assign(out, factsOf(this.action.type, result, mode, row));
        if (typeof result.summary["callId"] === "string") out["callId"] = result.summary["callId"];
        this.#target.set(out, result.data);
        send(out);
      }
      done();
    });
  };

  /** Makes the row of an action on calls: those have a lane of their own. */
  #rowOf(message: OpenMessage, result: JobResult) {
    return this.action.lane && { row: rowOf(this.RED, message, result, this.#formatter()(Date.now())) };
  }
}
