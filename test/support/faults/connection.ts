import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type SecureContext, TLSSocket } from "node:tls";
import type { CertificateName } from "./certificates";
import { instant } from "./clock";
import type { ExchangeFault } from "./fault";
import type { ConnectionRecord, RequestRecord } from "./ledger";
import type { Plan } from "./plan";
import { RequestReader } from "./request-reader";
import { type Site, Wire } from "./wire";

/** The part of its server that a connection uses. */
export interface House {
  /** Present when the server speaks TLS. */
  readonly certificates: Record<CertificateName, SecureContext> | undefined;
  readonly site: Site;
  /** Read at each decision, so that a plan can change under live connections. */
  readonly plan: Plan;
  nextRequest(): number;
}

/** One accepted connection: follows the plan, and records what arrives. */
export class Connection {
  /** The fault chosen for the current request, as soon as that is decided. */
  #fault: ExchangeFault | undefined;
  /** Whether the current request has met it. */
  #acted = false;
  /** The fault that the last one leaves for the next request. */
  #next: ExchangeFault | undefined;
  #wire: Wire;

  /** @param raw freshly accepted, and not read from yet */
  constructor(
    private readonly raw: Socket,
    private readonly record: ConnectionRecord,
    private readonly house: House,
  ) {
    this.#wire = new Wire(raw, raw, house.site);
    // A client may reset; its code is kept in the ledger.
    raw.on("error", (error: NodeJS.ErrnoException) => this.#noteError(error));
    raw.once("close", () => {
      record.closedAt = instant();
      record.wireBytes = raw.bytesRead;
    });
  }

  serve(): void {
    const fault = this.house.plan.onAccept();
    if (fault) this.record.fault = fault.name ?? "unnamed";
    if (fault?.at === "accept") {
      // A listener alone reads nothing from a paused socket: whether to read is the fault's to say.
      this.raw.on("data", (bytes: Buffer) => this.#count(this.house.certificates ? 0 : bytes.length));
      this.#run(fault.act(this.#wire));
      return;
    }
    const certificates = this.house.certificates;
    if (certificates) this.#read(this.#secure(certificates[fault?.certificate ?? "good"]));
    else if (fault) throw new Error(`${this.record.fault} needs a server with TLS`);
    else this.#read(this.raw);
  }

  #secure(secureContext: SecureContext): TLSSocket {
    // h2 is preferred on purpose: a client that offers it would speak it, and the ledger would show it.
    const ALPNProtocols = ["h2", "http/1.1"];
    const socket = new TLSSocket(this.raw, { isServer: true, secureContext, ALPNProtocols });
    socket.on("error", (error: NodeJS.ErrnoException) => this.#noteError(error));
    socket.once("secure", () => {
      if (socket.alpnProtocol) this.record.alpn = socket.alpnProtocol;
    });
    this.#wire = new Wire(this.raw, socket, this.house.site);
    return socket;
  }

  #read(stream: Duplex): void {
    const reader = new RequestReader({
      begin: () => this.#begin(),
      head: (request) => this.#reach("head", request),
      whole: (request) => this.#whole(request),
    });
    stream.on("data", (bytes: Buffer) => {
      this.#count(bytes.length);
      reader.push(bytes);
    });
    stream.resume();
  }

  #begin(): RequestRecord {
    const request: RequestRecord = {
      index: this.house.nextRequest(),
      connection: this.record.index,
      bytes: 0,
      firstByteAt: instant(),
      complete: false,
      head: "",
      method: "",
      path: "",
      headers: {},
      body: "",
    };
    this.record.requests.push(request);
    this.#acted = false;
    this.#fault = this.#next ?? this.house.plan.onRequestBegun();
    this.#next = undefined;
    this.#reach("first-byte", request);
    return request;
  }

  #whole(request: RequestRecord): void {
    this.#fault ??= this.house.plan.onRequest(request);
    // The plan may choose a fault by the whole request when its moment has passed: it is applied now.
    this.#reach(this.#fault.at, request);
    this.#reach("request", request);
  }

  #reach(moment: ExchangeFault["at"], request: RequestRecord): void {
    const fault = this.#fault;
    if (!fault || this.#acted || fault.at !== moment) return;
    this.#acted = true;
    // After its last byte the server only listens: what still comes is recorded and gets no answer.
    if (this.#wire.ended) return;
    request.fault = fault.name ?? "unnamed";
    this.#next = fault.next;
    const acting = Promise.resolve(fault.act(this.#wire, request));
    this.#run(
      acting.then(() => {
        request.struck = true;
      }),
    );
  }

  /** A fault ends early when its connection is gone; anything else that fails is a mistake of the fault's author. */
  #run(acting: void | Promise<void>): void {
    acting?.catch((error: unknown) => {
      if (!this.#wire.ended) throw error;
    });
  }

  /** @param httpBytes how many of the bytes just read the client's HTTP side has sent */
  #count(httpBytes: number): void {
    this.record.firstByteAt ??= instant();
    this.record.wireBytes = this.raw.bytesRead;
    this.record.bytes += httpBytes;
  }

  #noteError(error: NodeJS.ErrnoException): void {
    this.record.error ??= error.code ?? error.message;
  }
}
