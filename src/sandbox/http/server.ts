import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answerDesk, isDesk } from "../inspect/desk";
import { type Trouble, Troublemaker } from "../inspect/faults";
import { type LoggedRequest, logRequest } from "../inspect/request-log";
import { answerApi } from "../service/api";
import type { SandboxCall } from "../service/calls";
import { refusals } from "../service/refusals";
import { SandboxState } from "../service/state";
import { isOwnHost } from "./loopback";
import { envelopeReply, type Reply } from "./reply";
import { readBody } from "./request-body";
import { bearerCheck, isToken } from "./token";

export interface SandboxOptions {
  /** 1 to 4,096 printable ASCII characters without blanks. */
  readonly token: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The header that carries `Bearer <token>`; `Authentication`, as the interface has it, when not given. */
  readonly authHeader?: string;
  /** The `state` of a sandbox before this one, to go on with its calls, schedules and log. */
  readonly state?: SandboxState;
}

/** A simulated tenant on a loopback port: the service's interface over real HTTP, with everything in memory. */
export class Sandbox {
  readonly port: number;
  /** `http://127.0.0.1:4010`, no slash at the end. */
  readonly url: string;
  readonly state: SandboxState;
  readonly #server: Server;
  readonly #authHeader: string;
  readonly #isBearer: (header: unknown) => boolean;
  readonly #troublemaker = new Troublemaker();
  readonly #closing = new AbortController();
  #stopped: Promise<void> | undefined;

  /** Rejects with a `TypeError` for a bad token, and with Node's own error (`EADDRINUSE`) for a port that is not to be had. */
  static async start(options: SandboxOptions): Promise<Sandbox> {
    if (!isToken(options.token))
      throw new TypeError("The token must be 1 to 4096 printable characters without blanks.");
    const server = createServer();
    server.listen(options.port ?? 0, "127.0.0.1");
    await once(server, "listening");
    return new Sandbox(server, options);
  }

  private constructor(server: Server, { token, authHeader = "Authentication", state }: SandboxOptions) {
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}`;
    this.state = state ?? new SandboxState();
    this.#server = server;
    this.#authHeader = authHeader;
    this.#isBearer = bearerCheck(token);
    server.on("request", (request, response) => void this.#serve(request, response));
    // A connection that cannot be accepted fails its client; without a listener it would end the whole process.
    server.on("error", () => {});
  }

  /** The newest requests, 500 at most, oldest of them first. */
  requests(limit?: number): readonly LoggedRequest[] {
    return this.state.log.newest(limit);
  }

  /** The newest calls, 10,000 at most, oldest of them first. */
  calls(limit?: number): readonly SandboxCall[] {
    return this.state.calls.newest(limit);
  }

  /** Makes the next requests fail, in place of the trouble before. Throws a `TypeError` for one that makes no sense. */
  trouble(trouble: Trouble): void {
    this.#troublemaker.set(trouble);
  }

  /** Ends at once: open connections are cut, answers that still wait are not given. */
  stop(): Promise<void> {
    this.#stopped ??= new Promise((resolve) => {
      this.#closing.abort();
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#stopped;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let reply: Reply;
    try {
      reply = await this.#answer(request);
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      if (this.#closing.signal.aborted) return;
      reply = envelopeReply(refusals.ownFault(error));
    }
    response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.body) });
    response.end(reply.body);
  }

  async #answer(request: IncomingMessage): Promise<Reply> {
    const started = performance.now();
    const { host, origin, "content-type": contentType } = request.headers;
    if (!isOwnHost(host, this.port)) return envelopeReply(refusals.foreignHost());

    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    const query = new URLSearchParams(url.slice(path.length));
    const heard = { method, path, query, body: await readBody(request) };
    if (isDesk(path)) {
      return answerDesk({ ...heard, host, origin, contentType }, this.state, this.#troublemaker);
    }

    const trouble = this.#troublemaker.strike(path);
    if (trouble?.delayMs) await sleep(trouble.delayMs, undefined, { signal: this.#closing.signal });
    const isAuthentic = this.#isBearer(request.headers[this.#authHeader.toLowerCase()]);
    const answer =
      trouble?.answer ?? answerApi({ ...heard, host, contentType, isAuthentic }, this.state, this.#authHeader);
    logRequest(this.state, heard, answer, performance.now() - started);
    return envelopeReply(answer);
  }
}
