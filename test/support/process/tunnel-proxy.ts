import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { listen } from "../loopback";

/** A proxy on loopback. Every tunnel leads to the same port, for any host. */
export class TunnelProxy {
  /** The requested tunnels, with their credentials. */
  readonly connects: { readonly target: string | undefined; readonly authorization: string | undefined }[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  /** @param secure a certificate and its key; the proxy is then an https one */
  static async start(port: number, secure?: SecureContextOptions): Promise<TunnelProxy> {
    const server = secure ? createSecureServer(secure) : createServer();
    return new TunnelProxy(server, await listen(server), port);
  }

  private constructor(
    server: Server,
    readonly port: number,
    target: number,
  ) {
    this.#server = server;
    server.on("connection", (socket: Socket) => this.#keep(socket));
    server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.connects.push({ target: request.url, authorization: request.headers["proxy-authorization"] });
      const upstream = connect(target, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.write(head);
        socket.pipe(upstream).pipe(socket);
      });
      this.#keep(socket);
      this.#keep(upstream);
    });
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
  }
}
