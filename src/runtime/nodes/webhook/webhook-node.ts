import type { Request, Response } from "express";
import type { Node, NodeAPI } from "node-red";
import { notSent, type TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { answerLater, type HttpAnswer } from "../../delivery/answers";
import { flows } from "../../delivery/flow-lifecycle";
import { shared } from "../../node-red/catalogue";
import { StatusLine } from "../../node-red/status";
import { swallowErrors } from "../../node-red/swallow-errors";
import { asTenantError, sentence } from "../../node-red/texts";
import { bringsSecret, isSigned, SECRET_HEADER, secretOf } from "../../node-red/webhook-secret";
import { ClientGone, rawBody, readBody } from "./body";
import { Refused } from "./refused";
import { addReceiver, formReader, type Receiver, removeReceiver } from "./routes";
import { type WebhookSettings, webhookSettings } from "./settings";

const ACTOR = { type: "telephony-webhook" };
/** Between two lines of log about refused requests. Milliseconds. */
const LOG_PAUSE_MS = 60_000;
const ID = /^[\x21-\x7e]{1,200}$/;

export function webhookNode(...args: ConstructorParameters<typeof Webhook>): void {
  new Webhook(...args);
}

/** Receives requests, passes those on that bring the secret, and answers when it is known what becomes of them. */
class Webhook implements Receiver {
  readonly id: string;
  readonly #RED: NodeAPI;
  readonly #node: Node;
  readonly #settings: WebhookSettings | undefined;
  readonly #secret: ReturnType<typeof secretOf>;
  readonly #status: StatusLine;
  #problem: TenantError | undefined;
  #loggedAt = -Infinity;

  constructor(RED: NodeAPI, node: Node, config: Config) {
    this.id = node.id;
    this.#RED = RED;
    this.#node = node;
    const { secret } = (node.credentials ?? {}) as { readonly secret?: unknown };
    this.#secret = secretOf(secret, Object(RED.nodes.getCredentials(node.id)).secret);
    this.#status = new StatusLine(RED, node, "live");
    node.on("close", (removed: boolean, closed: () => void) => {
      this.#status.close(removed);
      removeReceiver(this, removed);
      closed();
    });
    try {
      if ((RED.settings as { httpNodeRoot?: unknown }).httpNodeRoot === false)
        throw notSent("ERR_CONFIG", "config", { key: "config.noHttpNodes", field: "path" });
      this.#settings = webhookSettings(config);
      addReceiver(RED, this);
    } catch (error) {
      this.#refuse(asTenantError(error));
    }
  }

  get path(): string {
    return this.#settings?.path ?? "";
  }

  onPath(has: boolean): void {
    const { variable = "" } = this.#secret;
    if (!has)
      this.#refuse(
        notSent("ERR_CONFIG", "config", { key: "config.pathTaken", field: "path", params: { path: this.path } }),
      );
    else if (this.#secret.secret === undefined) {
      this.#status.show("yellow", "ring", "noSecret");
      if (this.#problem === undefined && variable !== "")
        swallowErrors(() => this.#node.warn(shared(this.#RED, "log.webhookSecret", { variable })));
    } else this.#status.rest();
    if (has) this.#problem = undefined;
  }

  #refuse(problem: TenantError): void {
    this.#status.failed(problem);
    if (this.#problem?.key !== problem.key) swallowErrors(() => this.#node.error(sentence(this.#RED, problem, ACTOR)));
    this.#problem = problem;
  }

  receive(request: Request, response: Response): void {
    this.#take(request, response).catch((error: unknown) => {
      if (error instanceof ClientGone) return;
      const refused = error instanceof Refused ? error : new Refused(500, "failed");
      this.#log(refused);
      const message = shared(this.#RED, `webhook.refused.${refused.key}`);
      swallowErrors(() => response.status(refused.status).set(refused.headers).json({ accepted: false, message }));
    });
  }

  async #take(request: Request, response: Response): Promise<void> {
    const { secret } = this.#secret;
    const { sign, answer } = this.#settings as WebhookSettings;
    if (request.method !== "POST") throw new Refused(405, "method", { allow: "POST" });
    if (secret === undefined) throw new Refused(503, "noSecret");
    const query = new URL(request.url, "http://webhook").searchParams;
    if (sign === "" && !bringsSecret(request.headers, query, secret)) throw new Refused(401, "secret");
    // Something in front has read the body, and its bytes are gone.
    const isRead = request.readableEnded;
    if (isRead && sign !== "") throw new Refused(500, "bodyRead");
    const raw = isRead ? Buffer.alloc(0) : await rawBody(request);
    if (sign !== "" && !isSigned(request.headers[sign], raw, secret)) throw new Refused(401, "signature");
    const requestId = request.get("idempotency-key");
    if (requestId !== undefined && !ID.test(requestId)) throw new Refused(400, "requestId");
    const payload = isRead ? (request.body as unknown) : await readBody(request, raw, formReader(this.#RED));
    const id = this.#RED.util.generateId();
    const answered = answerLater(id, (given) => send(response, given));
    // The nodes behind may be stopped, or not yet started. If Node-RED stops meanwhile, the request has its answer.
    if (!flows.running && !flows.stopping) await flows.untilRunning();
    if (!answered.isOpen) return;
    const webhook = { id, path: this.path, at: new Date().toISOString() };
    const key = requestId === undefined ? {} : { requestId };
    const http = answer === "flow" && { req: withoutSecret(request, payload), res: { _res: response } };
    if (answer === "taken") answered.tell({ status: 202, body: { accepted: true } });
    if (answer === "flow") answered.forget();
    // A deploy may have replaced this node.
    const node = (this.#RED.nodes.getNode(this.id) ?? this.#node) as Node;
    node.send({ _msgid: this.#RED.util.generateId(), payload, webhook, ...key, ...http });
  }

  #log({ key, status }: Refused): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_PAUSE_MS) return;
    this.#loggedAt = now;
    const reason = shared(this.#RED, `webhook.refused.${key}`);
    swallowErrors(() => this.#node.warn(shared(this.#RED, "log.webhookRefused", { path: this.path, status, reason })));
  }
}

/** The client may have gone. */
function send(response: Response, { status, body, retryAfter }: HttpAnswer): void {
  swallowErrors(() => {
    if (retryAfter !== undefined) response.set("retry-after", String(retryAfter));
    response.status(status).json(body);
  });
}

/** The request for a flow that answers itself. The secret is gone from all that Node and Express have made of it, too. */
function withoutSecret(request: Request, body: unknown): Request {
  const { headers, query, baseUrl } = request;
  delete headers[SECRET_HEADER];
  if (/^bearer /i.test(headers.authorization ?? "")) delete headers.authorization;
  delete query["secret"];
  const { pathname, searchParams } = new URL(request.url, "http://webhook");
  searchParams.delete("secret");
  const url = pathname + (searchParams.size > 0 ? `?${searchParams}` : "");
  return Object.assign(request, { url, originalUrl: baseUrl + url, rawHeaders: [], _parsedUrl: undefined, body });
}
