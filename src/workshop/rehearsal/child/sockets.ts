import { subscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { type Native, replace } from "./replace";

/** `EACCES` of libuv. */
export const REFUSED = -13;
/** The time for which data may lie unread in a socket whose reader does not take it. Microseconds of the processor. */
const STALLED_US = 300_000;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/;

/** The TCP connections of this process, all of them with itself. */
export class Sockets {
  /** Ports that listen. */
  readonly #servers = new Map<number, Native>();
  readonly #open = new Set<Socket>();
  /** By the port on which the flow expects this Node-RED, the one on which it listens. */
  readonly aliases = new Map<number, number>();
  #stalled = "";
  #stalledSince = 0;

  constructor() {
    const follow = (socket: Socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    };
    subscribe("net.server.socket", (message) => follow((message as { readonly socket: Socket }).socket));
    replace(Socket.prototype, "connect", (connect) => {
      return function (...given) {
        follow(this);
        return connect.apply(this, given);
      };
    });
  }

  /**
   * Lets sockets connect to servers of this process only, and servers listen on loopback only.
   * @param refused called with what was tried
   */
  confine(refused: (what: string) => void): void {
    const { tcp, pipe } = nativeHandles();
    const servers = this.#servers;
    const refuse = (what: string) => {
      refused(what);
      return REFUSED;
    };
    for (const name of ["connect", "connect6"])
      replace(tcp, name, (connect) => {
        const { aliases } = this;
        return function (request, address, port, ...others) {
          const to = aliases.get(Number(port)) ?? Number(port);
          if (!LOOPBACK.test(String(address)) || !servers.has(to)) return refuse(`${address}:${port}`);
          return connect.call(this, request, address, to, ...others);
        };
      });
    for (const [name, loopback] of Object.entries({ bind: "127.0.0.1", bind6: "::1" }))
      replace(tcp, name, (bind) => {
        return function (_address, ...others) {
          return bind.call(this, loopback, ...others);
        };
      });
    replace(tcp, "listen", (listen) => {
      return function (...given) {
        const problem = listen.apply(this, given);
        const name: { readonly port?: number } = {};
        this["getsockname"]?.(name);
        if (problem === 0) servers.set(name.port ?? 0, this);
        return problem;
      };
    });
    replace(tcp, "close", (close) => {
      return function (...given) {
        for (const [port, handle] of servers) if (handle === this) servers.delete(port);
        return close.apply(this, given);
      };
    });
    for (const name of ["connect", "bind", "open"]) replace(pipe, name, () => () => refuse("a local socket"));
  }

  /**
   * Whether data, a connection or its end is on its way from one socket to another.
   * @param now microseconds of the processor
   */
  inTransit(now: number): boolean {
    const found = this.#firstInTransit();
    if (found === "") return false;
    if (found !== this.#stalled) [this.#stalled, this.#stalledSince] = [found, now];
    return now - this.#stalledSince < STALLED_US;
  }

  #firstInTransit(): string {
    const byPort = new Map<number | undefined, Socket>();
    for (const socket of this.#open) {
      if (socket.connecting) return "a connection";
      byPort.set(socket.localPort, socket);
    }
    for (const [port, socket] of byPort) {
      const peer = byPort.get(socket.remotePort);
      if (!peer) return `the end of ${port}`;
      if (socket.bytesWritten !== peer.bytesRead) return `${port}: ${socket.bytesWritten} ${peer.bytesRead}`;
    }
    return "";
  }
}

/** The prototypes that Node's sockets stand on: whatever reaches the network goes through them. */
function nativeHandles(): { readonly tcp: Native; readonly pipe: Native } {
  const prototypeOf = (socket: Socket): Native => {
    socket.on("error", () => {});
    const { _handle: handle } = socket as unknown as { readonly _handle: object };
    socket.destroy();
    return Object.getPrototypeOf(handle);
  };
  // Destroyed before they begin to connect.
  return {
    tcp: prototypeOf(new Socket().connect({ host: "127.0.0.1", port: 1 })),
    pipe: prototypeOf(new Socket().connect({ path: "/nowhere" })),
  };
}
