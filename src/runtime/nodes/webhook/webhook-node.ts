import type { Request, Response } from "express";
import type { Node, NodeAPI } from "node-red";
import { asConfigError, notSent, type TenantError } from "../../../client";
import type { Config, TextKey } from "../../../fields";
import { readSecret } from "../../../fields/kinds/fixed";
import { OpenAnswer } from "../../delivery/answers";
import { flows } from "../../delivery/flow-lifecycle";
import { type HttpAnswer, NOT_APPLIED } from "../../delivery/http-answer";
import { shared } from "../../node-red/catalogue";
import { StatusLine } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { logOnce } from "../../node-red/tell-once";
import { readSignature, type Signature } from "../../node-red/webhook-schemes";
import { bringsSecret, isSigning, secretOf, withoutSecret } from "../../node-red/webhook-secret";
import { isClockUnsure } from "../../tenants/start-clocks";
import { type Body, bodyReader, LONGEST_BODY, Refused } from "./body";
import { keepRequest } from "./last-requests";
import { addReceiver, type Receiver, removeReceiver } from "./routes";
import { type WebhookSettings, webhookSettings } from "./settings";

type Proof = Signature | "ping";

const ACTOR = { type: "telephony-webhook" };
/** Between two lines of log about refused requests. Milliseconds. */
const LOG_PAUSE_MS = 60_000;
/** The greatest difference between a signed time stamp and the clock. Milliseconds. */
const MOST_SKEW_MS = 5 * 60_000;
/** After this, the clock is taken for right. Seconds. */
const CLOCK_RETRY_S = 60;
/** Twice the longest body that is taken: a sender that is refused for a little more reads the answer, and no reset. */
const MAX_DRAINED_BYTES = 2 * LONGEST_BODY;
const MAX_DRAIN_MS = 2000;
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;
/** Headers in which senders have an id of the request. */
const ID_HEADERS = ["idempotency-key", "webhook-id", "svix-id", "x-github-delivery", "x-shopify-webhook-id"];

/** The connection of a request, as long as it has no answer. */
interface Connection {
  response: Response | undefined;
}

export function webhookNode(RED: NodeAPI, node: Node, config: Config): void {
  const status = new StatusLine(RED, node, { mode: "live" });
  const fail = (error: TenantError) => {
    status.failed(error);
    logOnce(RED, node, ACTOR, error);
  };
  try {
    if ((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot === false)
      throw notSent("ERR_CONFIG", "config", { key: "config.noHttpNodes", field: "path" });
    addReceiver(RED, new Webhook(RED, node, webhookSettings(config), status, fail));
  } catch (error) {
    removeReceiver(node.id);
    fail(asConfigError(error));
  }
}

/** Receives requests, passes those on that bring the secret, and answers when it is known what becomes of them. */
class Webhook implements Receiver {
  readonly id: string;
  readonly path: string;
  readonly takesGet: boolean;
  isServed = false;
  readonly #secret: string | undefined;
  readonly #isSigning: boolean;
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
    this.takesGet = settings.get;
    this.#isSigning = isSigning(settings);
    this.#read = bodyReader(RED);
    const { secret, variable } = secretOf(
      Object(node.credentials).secret,
      Object(RED.nodes.getCredentials(node.id)).secret,
    );
    this.#secret = secret && readSecret(secret, settings.scheme);
    if (variable !== undefined) swallowErrors(() => node.warn(shared(RED, "log.webhookSecret", { variable })));
  }

  show(): void {
    const params = { path: this.path };
    if (!this.isServed) this.fail(notSent("ERR_CONFIG", "config", { key: "config.pathTaken", field: "path", params }));
    else if (this.#secret === undefined) this.status.show("yellow", "ring", "noSecret");
    else this.status.rest();
  }

  receive(request: Request, response: Response, isTrusted = false): void {
    const connection: Connection = { response };
    const answered = new OpenAnswer(
      this.RED.util.generateId(),
      (given) => {
        connection.response = undefined;
        reply(response, given);
      },
      this.settings.status === "200",
    );
    this.#take(request, connection, answered, isTrusted).catch((error: unknown) => {
      // Node-RED stops, and the request has its answer.
      if (!answered.isOpen) return;
      answered.forget();
      const { status, key, params, retryAfter } = error instanceof Refused ? error : new Refused(500);
      const message = shared(this.RED, `webhook.refused.${key}` as TextKey, params);
      drain(request);
      if (status === 405) response.set("allow", this.settings.get ? "GET, POST" : "POST");
      reply(response, { status, body: { accepted: false, message }, ...(retryAfter && { retryAfter }) });
      this.#log(status, message);
    });
  }

  async #take(request: Request, connection: Connection, answered: OpenAnswer, isTrusted: boolean): Promise<void> {
    const { settings } = this;
    const secret = this.#secret;
    const isGet = request.method === "GET" && settings.get;
    if (request.method !== "POST" && !isGet) throw new Refused(405);
    if (secret === undefined) throw new Refused(503);
    const isOwnLogin = Boolean((this.RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth);
    const { secret: _, ...query } = request.query;
    const verify = (bytes: Buffer): Proof => {
      const signature = isTrusted ? {} : readSignature(request.headers, settings, secret, bytes);
      if (isPing(request, bytes)) return "ping";
      if (!signature) throw new Refused(401, "signature");
      return signature;
    };
    if (!isTrusted && !this.#isSigning && !bringsSecret(request, settings, secret, isOwnLogin)) throw new Refused(401);
    const { payload, files, proof }: Body<Proof> = isGet
      ? { payload: query }
      : await this.#read<Proof>(request, this.#isSigning ? verify : undefined);
    const signature = proof === "ping" ? undefined : proof;
    if (signature?.at !== undefined) await checkTime(signature.at);
    const requestId = requestIdOf(request, signature);
    answered.begin();
    if (proof === "ping") answered.tell({ status: 200, body: { accepted: false } });
    const { type, challenge } = Object(payload) as Readonly<Record<string, unknown>>;
    if (settings.scheme === "slack" && type === "url_verification")
      answered.tell({ status: 200, body: { challenge: String(challenge) } });
    // The nodes behind may be stopped, or not yet started. If it takes too long, or Node-RED stops, the request has its answer.
    await answered.untilRunning();
    // A deploy may have replaced this node, or deleted it.
    const node = flows.isDeleted(this.node) ? undefined : (this.RED.nodes.getNode(this.id) as Node | undefined);
    if (!node) answered.tell(NOT_APPLIED);
    if (!node || !answered.isOpen) return;
    answered.isTaken = true;
    swallowErrors(() => keepRequest(this.id, this.path, request, payload, settings, secret));
    if (settings.answer === "taken") answered.tell({ status: 202, body: { accepted: true } });
    if (settings.answer === "flow") answered.forget();
    node.send({
      ...{ _msgid: this.RED.util.generateId(), payload },
      webhook: {
        ...{ id: answered.id, path: this.path, at: new Date().toISOString() },
        // No signature covers it.
        ...(!this.#isSigning && { query: { ...query } }),
        ...(files && { files }),
      },
      ...(requestId !== undefined && { requestId }),
      ...(settings.answer === "flow" && {
        req: withoutSecret(request, payload, settings, secret, isOwnLogin),
        res: { _res: connection.response },
      }),
      ...(settings.answer === "outcome" && { res: lateResponse(connection, answered) }),
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

/** A shop tries a new webhook so, without a signature. */
function isPing(request: Request, body: Buffer): boolean {
  return Boolean(request.is("urlencoded")) && /^webhook_id=[^&\s]*\s*$/.test(body.toString("latin1"));
}

/** Refuses what was signed at another time. */
async function checkTime(at: number): Promise<void> {
  if (await isClockUnsure()) throw new Refused(503, "clock", {}, CLOCK_RETRY_S);
  if (!(Math.abs(Date.now() - at) <= MOST_SKEW_MS)) throw new Refused(401, "stale");
}

/** The id of a request: the signed one, or the first one that can be used. */
function requestIdOf(request: Request, signature: Signature | undefined): string | undefined {
  if (signature?.id !== undefined) return REQUEST_ID.test(signature.id) ? signature.id : undefined;
  for (const name of ID_HEADERS) {
    const id = request.get(name);
    if (id !== undefined && REQUEST_ID.test(id)) return id;
    // A sender that sets ours relies on it.
    if (id !== undefined && name === "idempotency-key") throw new Refused(400, "requestId");
  }
  return undefined;
}

/**
 * Reads on what is left of a refused request, and closes its connection once that is too much or takes too long. A sender that
 * still writes would else not see the answer. Call it before the answer is sent: Node would read on without bounds.
 */
function drain(request: Request): void {
  if (request.readableEnded) return;
  let left = MAX_DRAINED_BYTES;
  const close = () => request.socket.destroy();
  const timer = setTimeout(close, MAX_DRAIN_MS);
  request.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) close();
  });
  for (const end of ["end", "close"]) request.once(end, () => clearTimeout(timer));
  request.resume();
}

/**
 * The `msg.res` of a webhook that answers by itself: an HTTP Response node behind it answers in its place, if nothing has yet. It
 * is no part of the message's JSON.
 */
function lateResponse(connection: Connection, answered: OpenAnswer): object {
  const responder: Record<string, (...args: never[]) => unknown> = {
    get: (name: string) => connection.response?.get(name),
  };
  for (const name of ["set", "status", "cookie", "clearCookie", "send", "jsonp"] as const)
    responder[name] = (...args) => {
      const response = answered.isHeld ? undefined : connection.response;
      if (response && (name === "send" || name === "jsonp")) {
        connection.response = undefined;
        answered.forget();
      }
      (response?.[name] as ((...args: never[]) => unknown) | undefined)?.call(response, ...args);
      return responder;
    };
  return { _res: responder, toJSON: () => undefined };
}
