import type { Request, Response } from "express";
import type { Node, NodeAPI } from "node-red";
import { notSent, type TenantError } from "../../../client";
import type { Config, TextKey } from "../../../fields";
import { type HttpAnswer, NOT_APPLIED, OpenAnswer } from "../../delivery/answers";
import { flows } from "../../delivery/flow-lifecycle";
import { shared } from "../../node-red/catalogue";
import { StatusLine } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { asTenantError, sentence } from "../../node-red/texts";
import { bringsSecret, isSigned, secretOf, withoutSecret } from "../../node-red/webhook-secret";
import { bodyReader, Refused } from "./body";
import { drain } from "./drain";
import { addReceiver, type Receiver, removeReceiver } from "./routes";
import { type WebhookSettings, webhookSettings } from "./settings";

const ACTOR = { type: "telephony-webhook" };
/** Between two lines of log about refused requests. Milliseconds. */
const LOG_PAUSE_MS = 60_000;
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

export function webhookNode(RED: NodeAPI, node: Node, config: Config): void {
  const status = new StatusLine(RED, node, { mode: "live" });
  let problem: TenantError | undefined;
  const fail = (error: TenantError) => {
    status.failed(error);
    if (problem?.key !== error.key) swallowErrors(() => node.error(sentence(RED, error, ACTOR)));
    problem = error;
  };
  try {
    if ((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot === false)
      throw notSent("ERR_CONFIG", "config", { key: "config.noHttpNodes", field: "path" });
    addReceiver(RED, new Webhook(RED, node, webhookSettings(config), status, fail));
  } catch (error) {
    removeReceiver(node.id);
    fail(asTenantError(error));
  }
}

/** Receives requests, passes those on that bring the secret, and answers when it is known what becomes of them. */
class Webhook implements Receiver {
  readonly id: string;
  readonly path: string;
  isServed = false;
  readonly #secret: string | undefined;
  readonly #read: ReturnType<typeof bodyReader>;
  #loggedAt = -Infinity;

  constructor(
    private readonly RED: NodeAPI,
    private readonly node: Node,
    private readonly settings: WebhookSettings,
    private readonly status: StatusLine,
    private readonly fail: (error: TenantError) => void,
  ) {
    this.id = node.id;
    this.path = settings.path;
    this.#read = bodyReader(RED);
    const { secret, variable } = secretOf(
      Object(node.credentials).secret,
      Object(RED.nodes.getCredentials(node.id)).secret,
    );
    this.#secret = secret;
    if (variable !== undefined) swallowErrors(() => node.warn(shared(RED, "log.webhookSecret", { variable })));
  }

  show(): void {
    const params = { path: this.path };
    if (!this.isServed) this.fail(notSent("ERR_CONFIG", "config", { key: "config.pathTaken", field: "path", params }));
    else if (this.#secret === undefined) this.status.show("yellow", "ring", "noSecret");
    else this.status.rest();
  }

  receive(request: Request, response: Response, isTrusted = false): void {
    const answered = new OpenAnswer(this.RED.util.generateId(), (given) => reply(response, given));
    this.#take(request, response, answered, isTrusted).catch((error: unknown) => {
      // Node-RED stops, and the request has its answer.
      if (!answered.isOpen) return;
      answered.forget();
      const { status, key } = error instanceof Refused ? error : new Refused(500);
      const message = shared(this.RED, `webhook.refused.${key}` as TextKey);
      drain(request);
      if (status === 405) response.set("allow", "POST");
      reply(response, { status, body: { accepted: false, message } });
      this.#log(status, message);
    });
  }

  async #take(request: Request, response: Response, answered: OpenAnswer, isTrusted: boolean): Promise<void> {
    const { sign, answer } = this.settings;
    const secret = this.#secret;
    if (request.method !== "POST") throw new Refused(405);
    if (secret === undefined) throw new Refused(503);
    if (!isTrusted && sign === "" && !bringsSecret(request, secret)) throw new Refused(401);
    const verify = (bytes: Buffer) => {
      if (!isSigned(request, sign, bytes, secret)) throw new Refused(401, "signature");
    };
    const payload = await this.#read(request, isTrusted || sign === "" ? undefined : verify);
    const requestId = request.get("idempotency-key");
    if (requestId !== undefined && !REQUEST_ID.test(requestId)) throw new Refused(400, "requestId");
    answered.begin();
    // The nodes behind may be stopped, or not yet started. If it takes too long, or Node-RED stops, the request has its answer.
    if (!flows.running) await flows.untilRunning();
    // A deploy may have replaced this node, or deleted it.
    const node = flows.isDeleted(this.node) ? undefined : (this.RED.nodes.getNode(this.id) as Node | undefined);
    if (!node) answered.tell(NOT_APPLIED);
    if (!node || !answered.isOpen) return;
    answered.isTaken = true;
    if (answer === "taken") answered.tell({ status: 202, body: { accepted: true } });
    if (answer === "flow") answered.forget();
    node.send({
      ...{ _msgid: this.RED.util.generateId(), payload },
      webhook: { id: answered.id, path: this.path, at: new Date().toISOString() },
      ...(requestId !== undefined && { requestId }),
      ...(answer === "flow" && { req: withoutSecret(request, payload), res: { _res: response } }),
    });
  }

  #log(status: number, reason: string): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_PAUSE_MS) return;
    this.#loggedAt = now;
    const { RED, node, path } = this;
    swallowErrors(() => node.warn(shared(RED, "log.webhookRefused", { path, status, reason })));
  }
}

/** The client may have gone. */
function reply(response: Response, { status, body, retryAfter }: HttpAnswer): void {
  swallowErrors(() => {
    if (retryAfter !== undefined) response.set("retry-after", String(retryAfter));
    response.status(status).json(body);
  });
}
