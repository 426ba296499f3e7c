import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RequestChecks } from "../interface/interface";
import { listen } from "./loopback";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text as JSON; `undefined` without one. */
  readonly body: unknown;
}

/** The answer of a tenant, or what it does with its side of the connection instead. A text is answered as it is. */
export type Reply =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | ((response: ServerResponse) => void);

type Answer = (request: Received, index: number) => Reply | Promise<Reply>;

/** The envelope of the interface's call-action samples. */
export const ACCEPTED = { success: true, code: 200, locale: "en", message: "OK", data: null };

const accept: Answer = () => ({});

/** Ports that a tenant has had: deduplication keys outlive their tenant, so the next one needs another port. */
const used = new Set<number>();

/** A tenant on loopback that records its requests and answers as instructed. It shares no code with the sandbox. */
export class LiveTenant {
  readonly url: string;
  readonly received: Received[] = [];
  /** The number of them that have had their answer. */
  answered = 0;
  /** Delay of each answer, milliseconds. */
  delayMs = 0;
  #answer = accept;
  #answering: Promise<void> = Promise.resolve();
  readonly #checks = new RequestChecks();
  readonly #server: Server;

  static async start(): Promise<LiveTenant> {
    const server = createServer();
    const port = await listen(server);
    const isNew = !used.has(port);
    used.add(port);
    if (isNew) return new LiveTenant(server, port);
    server.close();
    return LiveTenant.start();
  }

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on("request", (request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        void this.#take({ method, url, headers, text, body: text === "" ? undefined : JSON.parse(text) }, response);
      });
    });
  }

  async #take(request: Received, response: ServerResponse): Promise<void> {
    const index = this.received.push(request) - 1;
    this.#checks.check(request);
    const [answer, answering] = [this.#answer, this.#answering];
    if (this.delayMs > 0) await sleep(this.delayMs, undefined, { ref: false });
    await answering;
    const reply = await answer(request, index);
    if (typeof reply === "function") return reply(response);
    const { status = 200, body = ACCEPTED, headers } = reply;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body), () => {
      this.answered += 1;
    });
  }

  /** The body of a request; empty when there was no such request. */
  body(index = 0): Record<string, unknown> {
    return Object(this.received[index]?.body);
  }

  /** Answers differently from the next request on. */
  answers(answer: Answer): void {
    this.#answer = answer;
  }

  /** Answers nothing that comes from now on until what this returns is called. */
  hold(answer = this.#answer): () => void {
    this.#answer = answer;
    let release: () => void = () => {};
    this.#answering = new Promise((resolve) => (release = resolve));
    return release;
  }

  /** Refuses connections until what this returns is called. */
  async refuse(): Promise<() => Promise<void>> {
    const { port } = new URL(this.url);
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    return async () => {
      this.#server.listen(Number(port), "127.0.0.1");
      await once(this.#server, "listening");
    };
  }

  reset(): void {
    this.received.length = 0;
    this.answered = 0;
    this.#answer = accept;
    this.delayMs = 0;
    this.#answering = Promise.resolve();
  }

  /** Throws when a request was none of the service's interface. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#checks.assertNone();
  }
}
