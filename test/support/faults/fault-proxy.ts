import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { listen } from "../loopback";
import { instant } from "./clock";

/** The way in which the proxy treats a CONNECT: lets it through, or fails in one of these ways. */
export type ProxyMode =
  | "tunnel"
  | "fin"
  | "reset"
  | "stall"
  | "half-answer"
  | "not-http"
  | "refuse-407"
  | "refuse-502"
  | "tunnel-then-reset"
  | "tunnel-then-stall";

export interface ConnectRecord {
  at: number;
  /** host:port, as asked for. */
  target: string;
  headers: IncomingMessage["headers"];
  /** Bytes the client sent into the tunnel. */
  bytes: number;
}

const established = "HTTP/1.1 200 Connection established\r\n\r\n";
const refusal = (status: string, header = "") => `HTTP/1.1 ${status}\r\n${header}Content-Length: 0\r\n\r\n`;

/** Row 4: an HTTP proxy that works, or fails at CONNECT, and counts. */
export class FaultProxy {
  mode: ProxyMode = "tunnel";
  readonly connects: ConnectRecord[] = [];
  /** Requests that were not CONNECT, with what they showed the proxy: a client must send none. */
  readonly readable: { method: string; url: string; headers: IncomingMessage["headers"] }[] = [];
  readonly #sockets = new Set<Duplex>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.readable.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
      response.writeHead(405).end();
    });
    this.#server.on("connection", (socket: Socket) => this.#keep(socket));
    this.#server.on("connect", (request, socket: Socket, early) => this.#connect(request, socket, early));
  }

  static async start(mode: ProxyMode = "tunnel"): Promise<FaultProxy> {
    const proxy = new FaultProxy();
    proxy.mode = mode;
    await listen(proxy.#server);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #connect(request: IncomingMessage, socket: Socket, early: Buffer): void {
    const record = { at: instant(), target: request.url ?? "", headers: request.headers, bytes: early.length };
    this.connects.push(record);
    socket.on("data", (bytes: Buffer) => {
      record.bytes += bytes.length;
    });
    const answers: Record<ProxyMode, () => void> = {
      tunnel: () => this.#tunnel(record.target, socket, early),
      fin: () => socket.end(),
      reset: () => socket.resetAndDestroy(),
      stall: () => {},
      "half-answer": () => socket.write("HTTP/1.1 200 Conn"),
      "not-http": () => socket.end("SSH-2.0-OpenSSH_9.6\r\n"),
      "refuse-407": () =>
        socket.end(refusal("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="proxy"\r\n')),
      "refuse-502": () => socket.end(refusal("502 Bad Gateway")),
      "tunnel-then-reset": () => {
        socket.write(established);
        // The first bytes through the tunnel are the client's TLS hello.
        socket.once("data", () => socket.resetAndDestroy());
      },
      "tunnel-then-stall": () => socket.write(established),
    };
    answers[this.mode]();
  }

  #tunnel(target: string, socket: Socket, early: Buffer): void {
    const { hostname, port } = new URL(`http://${target}`);
    const upstream = connect(Number(port || 80), hostname);
    this.#keep(upstream);
    let through = false;
    // Unpaused, what the client sends before the other end is there would be counted and lost.
    socket.pause();
    upstream.once("connect", () => {
      through = true;
      socket.write(established);
      upstream.write(early);
      socket.pipe(upstream).pipe(socket);
    });
    // A reset at one end comes out as a reset at the other.
    upstream.once("error", () => (through ? socket.resetAndDestroy() : socket.end(refusal("502 Bad Gateway"))));
    socket.once("close", () => upstream.destroy());
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }
}
