import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { RequestChecks } from "../../interface/interface";
import { listen } from "../loopback";

/** A request as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Answer {
  readonly status: number;
  /** A text is answered as it is. */
  readonly envelope: object | string;
}

/** The envelope of the interface's samples. */
const OK: Answer = { status: 200, envelope: { success: true, code: 200, locale: "en", message: "OK", data: null } };

/** A tenant that records its requests and answers as instructed. It shares no code with the sandbox. */
export class LiveTenant {
  readonly url: string;
  readonly received: Received[] = [];
  /** How many of them have had their answer. */
  answered = 0;
  answer: Answer = OK;
  /** The envelope that answers reads, if they have one of their own. */
  reads: object | undefined;
  /** Delay of each answer, milliseconds. */
  delayMs = 0;
  #answering: Promise<void> = Promise.resolve();
  readonly #checks = new RequestChecks();
  readonly #server: Server;

  static async start(): Promise<LiveTenant> {
    const server = createServer();
    return new LiveTenant(server, await listen(server));
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
        const { method, url, headers } = request;
        this.received.push({ method, url, headers, text });
        const sent = text === "" ? undefined : (JSON.parse(text) as unknown);
        this.#checks.check({ method: method ?? "", url: url ?? "", headers, body: sent });
        const { status, envelope } =
          method === "GET" && this.reads ? { status: 200, envelope: this.reads } : this.answer;
        const body = typeof envelope === "string" ? envelope : JSON.stringify(envelope);
        const delay = sleep(this.delayMs, undefined, { ref: false });
        void Promise.all([this.#answering, delay]).then(() => {
          response.writeHead(status, { "content-type": "application/json" }).end(body, () => {
            this.answered += 1;
          });
        });
      });
    });
  }

  /** Answers nothing that comes from now on until what this returns is called. */
  hold(): () => void {
    let release: () => void = () => {};
    this.#answering = new Promise((resolve) => (release = resolve));
    return release;
  }

  reset(): void {
    this.received.length = 0;
    this.answered = 0;
    this.answer = OK;
    this.reads = undefined;
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
