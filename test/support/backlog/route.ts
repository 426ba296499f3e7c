import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "../loopback";

/** Between an instance and its Redis. It can swallow what is sent; a connection from which something is missing works never again. */
export class Route {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isOpen = true;
  #isRefusing = false;
  /** Whether nothing comes back; what is sent arrives. */
  isMute = false;
  readonly #held = new Map<"sent" | "answered", (() => void)[]>();

  constructor(target: number) {
    this.#server = createServer((from) => {
      if (this.#isRefusing) return from.destroy();
      const to = connect(target, "127.0.0.1");
      for (const [source, sink, way] of [
        [from, to, "sent"],
        [to, from, "answered"],
      ] as const) {
        // What is held arrives also after its sender has given up.
        const pass = (act: () => void) => this.#held.get(way)?.push(act) ?? act();
        this.#sockets.add(source);
        source.on("error", () => sink.destroy());
        source.on("close", () => pass(() => sink.destroy()));
        source.on("data", (data) =>
          pass(() => this.#isOpen && !(this.isMute && sink === from) && !sink.destroyed && sink.write(data)),
        );
      }
      return undefined;
    });
  }

  async open(): Promise<string> {
    return `redis://127.0.0.1:${await listen(this.#server)}`;
  }

  /** Holds what goes one way until what this returns is called. */
  hold(way: "sent" | "answered"): () => void {
    const held: (() => void)[] = [];
    this.#held.set(way, held);
    return () => {
      this.#held.delete(way);
      for (const write of held) write();
    };
  }

  /** Closes each connection. */
  refuse(): void {
    this.#isRefusing = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  swallow(): void {
    this.#isOpen = false;
  }

  recover(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#isRefusing = false;
    this.#isOpen = true;
    this.isMute = false;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
