import { performance } from "node:perf_hooks";
import type { Dispatcher, Pool } from "undici";
import { type ConnectOptions, connector } from "./connect";

/** An answer as it came, body unread. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Why an exchange gave no complete answer. */
export interface Broken {
  readonly error: Error;
  /** The request may have begun to leave: undici had a connection and started writing. */
  readonly started: boolean;
  /** A whole status line came. */
  readonly began: boolean;
  /** Status of the answer, when its headers had come. */
  readonly status?: number;
}

/** One exchange under way, to be given up from outside. */
export interface Exchange {
  /** Gives up. Before the request has started it never will be written; after, its connection is closed. */
  abandon(error: Error): void;
}

export interface ExchangeEnd {
  answered(answer: Answer): void;
  broken(broken: Broken): void;
  /** Asked right before the first byte is written: a reason not to send after all. */
  objection?(): Error | undefined;
}

/** Largest answer that is read, in bytes. Our choice: the interface shows none near it. */
const LARGEST_ANSWER = 1024 * 1024;

/** Content codings that pack (IANA). Some servers name a character set there, or nothing: their answers are as they seem. */
const PACKED = /gzip|deflate|compress|br|zstd|dc[bz]|exi|aes128gcm/i;

/** An answer that is larger than we read, or packed so that it could become so. */
export class TooLargeError extends Error {
  constructor(readonly packed = false) {
    super("the answer is too large");
  }
}

/** A socket idle for longer may have been closed by the service without our knowing; it is not reused. */
const REUSE_WITHIN_MS = 1000;

export interface WireOptions extends ConnectOptions {
  readonly origin: string;
  readonly connections: number;
}

/** The connections to one tenant. Undici loads with the first exchange, not with Node-RED. */
export class Wire {
  readonly #options: WireOptions;
  #pool: Pool | undefined;
  #lastActive = -Infinity;
  /** What waits for its turn behind the sockets, first in, first out. */
  readonly #waiting: (() => void)[] = [];

  constructor(options: WireOptions) {
    this.#options = options;
  }

  exchange(
    request: { method: "GET" | "POST" | "DELETE"; path: string; headers: string[]; body: string | null },
    end: ExchangeEnd,
  ): Exchange {
    const handler = new Handler(end, () => {
      this.#lastActive = performance.now();
    });
    const send = () => {
      if (handler.over) return;
      this.#pool ??= this.#open();
      // No timeouts of undici's: they are coarse, and the deadline over all attempts is kept elsewhere.
      this.#pool.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, handler);
    };
    // After a pause, or an event loop that was blocked as long, sockets closed meanwhile must get their turn to say so.
    const now = performance.now();
    if (this.#waiting.length > 0) this.#waiting.push(send);
    else if (now - this.#lastActive > REUSE_WITHIN_MS) {
      this.#waiting.push(send);
      setImmediate(() => {
        for (const next of this.#waiting.splice(0)) next();
      });
    } else send();
    this.#lastActive = now;
    return handler;
  }

  #open(): Pool {
    const undici = require("undici") as typeof import("undici");
    return new undici.Pool(this.#options.origin, {
      connections: this.#options.connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: REUSE_WITHIN_MS,
      keepAliveMaxTimeout: REUSE_WITHIN_MS,
      connect: connector(this.#options),
    });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

/** Follows one exchange through undici's callbacks and reports its end exactly once. */
class Handler implements Dispatcher.DispatchHandler, Exchange {
  readonly #end: ExchangeEnd;
  readonly #touch: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #began = false;
  #status: number | undefined;
  #headers: Answer["headers"] = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;
  over = false;

  constructor(end: ExchangeEnd, touch: () => void) {
    this.#end = end;
    this.#touch = touch;
  }

  abandon(error: Error): void {
    if (this.over) return;
    this.#break(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const objection = this.over ? new Error("given up before it was sent") : this.#end.objection?.();
    if (objection) {
      this.#break(objection);
      // Thrown in here, not a byte is written and the connection stays good; an abort would close it.
      throw objection;
    }
    this.#controller = controller;
  }

  onResponseStarted(): void {
    this.#began = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Answer["headers"]): void {
    if (status < 200 || this.over) return;
    this.#status = status;
    this.#headers = headers;
    const packed = PACKED.test(String(headers["content-encoding"] ?? ""));
    if (packed || Number(headers["content-length"]) > LARGEST_ANSWER) this.#refuse(controller, packed);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.#size += chunk.length;
    if (this.#size > LARGEST_ANSWER) this.#refuse(controller);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#touch();
    if (this.over) return;
    this.over = true;
    const body = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#end.answered({ status: this.#status ?? 0, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#touch();
    if (!this.over) this.#break(error);
  }

  #refuse(controller: Dispatcher.DispatchController, packed = false): void {
    const error = new TooLargeError(packed);
    this.#break(error);
    controller.abort(error);
  }

  #break(error: Error): void {
    this.over = true;
    this.#chunks.length = 0;
    this.#end.broken({
      error,
      started: this.#controller !== undefined,
      began: this.#began,
      ...(this.#status !== undefined && { status: this.#status }),
    });
  }
}
