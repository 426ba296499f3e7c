import { isUtf8 } from "node:buffer";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { attempt } from "../../json/rules";
import { answerOf, type Fault, refusedNumber } from "../inspect/faults";
import { SandboxState } from "../inspect/state";
import type { OwnServer } from "../phone/outside";
import { limits } from "../service/assumptions";
import { type Answer, refusals } from "../service/envelope";
import type { Styles } from "../service/operation";
import type { Body, RequestInfo } from "../service/request";
import { answerRequest } from "../service/service";
import { isOwnHost, isToken, tokenCheck } from "./access";
import { answerInspection, type Content, isInspection } from "./routes";

export interface SandboxOptions {
  /** 1 to 4,096 printable ASCII characters without blanks. */
  readonly token: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The header that carries `Bearer <token>`; `Authentication` by default, as in the interface. */
  readonly authHeader?: string;
  /** A sentence for requests with a wrong token: where the right one is to be found. */
  readonly tokenAdvice?: string;
  /** The styles of requests that the sandbox reads; every one by default. */
  readonly styles?: Partial<Styles>;
  /** The server at which answer addresses and webhooks may be, besides loopback. */
  readonly own?: OwnServer;
  /** The `state` of an earlier sandbox, to continue with its calls, schedules and log. */
  readonly state?: SandboxState;
  /** The config node that it belongs to. */
  readonly owner?: string;
}

/** A request to the service and what became of it. */
export interface Served {
  /** The time at which it arrived, epoch milliseconds. */
  readonly at: number;
  readonly request: RequestInfo;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly isAccepted: boolean;
  /** Whether it was carried out, but its answer was lost. */
  readonly isLost: boolean;
  readonly callId: string | undefined;
}

/** Follows what reaches a sandbox, and makes requests fail. */
export interface SandboxObserver {
  /** The fault of a request that arrives now. */
  fault(request: RequestInfo): Fault | undefined;
  served(served: Served): void;
}

/** Each sandbox is published here when it has started, with its owner. */
const started = channel("cloud-telephony:sandbox:start");

const TOKEN_ADVICE = "It is the one that the sandbox was started with.";

/** A simulated tenant on a loopback port: the service's interface over real HTTP, with everything in memory. */
export class Sandbox {
  readonly port: number;
  /** `http://127.0.0.1:4010`, without a slash at the end. */
  readonly url: string;
  readonly state: SandboxState;
  readonly #server: Server;
  readonly #tokenProblem: ReturnType<typeof tokenCheck>;
  readonly #styles: Styles;
  readonly #closing = new AbortController();
  observer: SandboxObserver | undefined;
  #stopped: Promise<void> | undefined;

  /** Rejects with a `TypeError` for a bad token, and with Node's own error (`EADDRINUSE`) for an unavailable port. */
  static async start(options: SandboxOptions): Promise<Sandbox> {
    if (!isToken(options.token))
      throw new TypeError("The token must be 1 to 4096 printable characters without spaces.");
    const server = createServer();
    server.listen(options.port ?? 0, "127.0.0.1");
    await once(server, "listening");
    const sandbox = new Sandbox(server, options);
    if (started.hasSubscribers) started.publish({ sandbox, owner: options.owner });
    return sandbox;
  }

  private constructor(server: Server, options: SandboxOptions) {
    const {
      token,
      authHeader = "Authentication",
      tokenAdvice = TOKEN_ADVICE,
      styles,
      state,
      own = { hosts: [] },
    } = options;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}`;
    this.state = state ?? new SandboxState();
    this.state.own = own;
    this.#server = server;
    this.#tokenProblem = tokenCheck(token, authHeader, tokenAdvice);
    this.#styles = { parties: "either", booleans: "either", ...styles };
    server.on("request", (request, response) => void this.#serve(request, response));
    // Without a listener, a connection that cannot be accepted would end the process.
    server.on("error", () => {});
  }

  /** Stops at once: cuts open connections and drops pending answers. */
  stop(): Promise<void> {
    this.#stopped ??= new Promise((resolve) => {
      this.#closing.abort();
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#stopped;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: Answer | Content | undefined;
    try {
      answer = await this.#answer(request);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      if (this.#closing.signal.aborted) return;
      answer = refusals.ownFault(error);
    }
    if (!answer) {
      request.socket.destroy();
      return;
    }
    const body = "body" in answer ? answer.body : JSON.stringify(answer.envelope);
    const headers = { "content-type": "application/json", ...answer.headers };
    response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
  }

  /** Resolves to `undefined` if the answer is lost. */
  async #answer(request: IncomingMessage): Promise<Answer | Content | undefined> {
    const [at, startedAt] = [Date.now(), performance.now()];
    const { host, origin, "content-type": contentType, "x-telephony-node": node } = request.headers;
    if (!isOwnHost(host, this.port)) return refusals.foreignHost();

    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    const query = new URLSearchParams(url.slice(path.length));
    const body = await readBody(request);
    const info: RequestInfo = { method, path, query, host, origin, contentType, body, node: nodeId(node) };
    if (isInspection(path)) return answerInspection(info, this.state);

    const { calls, log, faults, settings } = this.state;
    const fault = this.observer?.fault(info) ?? faults.next(path) ?? refusedNumber(info, settings.phones);
    const isLost = fault?.lost === true;
    const injected = fault && !isLost ? answerOf(fault) : undefined;
    if (fault?.delayMs) await sleep(fault.delayMs, undefined, { signal: this.#closing.signal });
    const tokenProblem = this.#tokenProblem(request.headers);
    const placedBefore = calls.lastPlaced;
    const answer = injected ?? answerRequest(info, tokenProblem, this.#styles, this.state);
    const placed = calls.lastPlaced === placedBefore ? undefined : calls.lastPlaced;
    const isRefused = !injected && !answer.envelope.success;
    log.add(info, answer, performance.now() - startedAt, isRefused, placed);
    const { status, envelope } = answer;
    const { headers } = request;
    this.observer?.served({ at, request: info, headers, status, isAccepted: envelope.success, isLost, callId: placed });
    return isLost ? undefined : answer;
  }

  /** Answers with what the sandbox serves beside the service's interface, without HTTP. */
  inspect(method: string, path: string, query: URLSearchParams, value?: unknown): Promise<Answer | Content> {
    const host = `127.0.0.1:${this.port}`;
    const body = { bytes: 0, ...(value !== undefined && { value }) };
    const info: RequestInfo = { method, path, query, host, origin: undefined, contentType: "application/json", body };
    return answerInspection(info, this.state);
  }
}

/** A header that a node of Node-RED sends, bounded. */
function nodeId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && /^[\w.-]{1,100}$/.test(header) ? header : undefined;
}

/**
 * Reads a request to its end, even when it is too large: a client that is cut off while sending would see a lost
 * connection instead of the answer. Rejects when the connection is lost.
 */
async function readBody(request: IncomingMessage): Promise<Body> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return { bytes: 0 };

  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limits.bodyBytes) chunks.push(chunk);
    else chunks = [];
  }
  const whole = Buffer.concat(chunks);
  if (bytes > limits.bodyBytes || !isUtf8(whole)) return { bytes };
  const text = whole.toString();
  return { bytes, text, value: attempt(() => JSON.parse(text)) };
}
