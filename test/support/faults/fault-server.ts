import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { listen } from "../loopback";
import type { Choice } from "./catalogue";
import { type CertificateName, serverCertificates } from "./certificates";
import { instant } from "./clock";
import { Connection, type House } from "./connection";
import { type ConnectionRecord, Ledger, type RequestRecord } from "./ledger";
import { always, byRequest, type Plan } from "./plan";
import type { Site } from "./wire";

export interface FaultServerOptions {
  tls?: boolean;
  /** Base address of a second server, for redirects to another host. */
  elsewhere?: string;
  /** For a server that {@link FaultServer.listen listens} again: a port that no other process gets in between. Default: any. */
  port?: number;
}

/**
 * A server on loopback that writes raw bytes, right or wrong, and keeps account of every byte that reaches it.
 * Answers correctly unless instructed otherwise.
 */
export class FaultServer implements House {
  readonly ledger = new Ledger();
  readonly certificates: Record<CertificateName, SecureContext> | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #elsewhere: string;
  #listener: Server | undefined;
  #port: number;
  #requests = 0;
  #connections = 0;
  #plan: Plan = always("good");

  private constructor({ tls = false, elsewhere = "http://elsewhere.invalid", port = 0 }: FaultServerOptions) {
    this.#port = port;
    this.certificates = tls ? serverCertificates() : undefined;
    this.#elsewhere = elsewhere;
  }

  static async start(options: FaultServerOptions = {}): Promise<FaultServer> {
    const server = new FaultServer(options);
    await server.listen();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `${this.certificates ? "https" : "http"}://127.0.0.1:${this.#port}`;
  }

  get site(): Site {
    return { origin: this.url, elsewhere: this.#elsewhere };
  }

  get plan(): Plan {
    return this.#plan;
  }

  /** The number of connections that are open now. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Changes the faults from the next connection and request on: one for all, one chosen by the whole request, or a plan. */
  behave(how: Choice | Plan | ((request: RequestRecord) => Choice)): void {
    if (typeof how === "function") this.#plan = byRequest(how);
    else this.#plan = typeof how === "object" && "onAccept" in how ? how : always(how);
  }

  nextRequest(): number {
    return this.#requests++;
  }

  /** Listens again where {@link refuse} had stopped it, on the same port. */
  async listen(): Promise<void> {
    // Nothing may be read before the plan has decided: what a reset leaves unread must stay unread.
    const listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#accept(socket));
    this.#port = await listen(listener, this.#port);
    this.#listener = listener;
  }

  /** Refuses new connections from now on; existing ones continue. */
  refuse(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Restarts as a killed service: every connection is reset, the port refuses for a while and is back. */
  async restart(downMs = 0): Promise<void> {
    this.refuse();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, downMs));
    await this.listen();
  }

  /** Ends everything; resolves when no socket is left. */
  async stop(): Promise<void> {
    this.refuse();
    await Promise.all(
      [...this.#sockets].map((socket) => {
        const closed = once(socket, "close");
        socket.destroy();
        return closed;
      }),
    );
  }

  #accept(socket: Socket): void {
    const record: ConnectionRecord = {
      index: this.#connections++,
      openedAt: instant(),
      wireBytes: 0,
      bytes: 0,
      requests: [],
    };
    this.ledger.connections.push(record);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    new Connection(socket, record, this).serve();
  }
}
