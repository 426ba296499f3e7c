import { performance } from "node:perf_hooks";
import type { Dispatcher, Pool } from "undici";
import { type ConnectOptions, connector } from "./connect";
import { undici } from "./undici";

/** An answer as received, with its body unread. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The end of an exchange without a complete answer. */
export interface Broken {
  readonly error: Error;
  /** Whether the request may have left in part: undici had a connection and began to write. */
  readonly started: boolean;
  /** Whether a whole status line was received. */
  readonly began: boolean;
  /** Status of the answer, if its headers were received. */
  readonly status?: number;
}

export type Exchange = Pick<Handler, "ended" | "started" | "abandon">;

/** Largest answer that is read unless stated otherwise, in bytes. Our choice: the interface shows no answer near this size. */
const LARGEST_ANSWER = 1024 * 1024;

/** Content codings that compress (IANA). Some servers name a character set instead, which changes nothing. */
const COMPRESSED = /gzip|deflate|compress|br|zstd|dc[bz]|exi|aes128gcm/i;

/** An answer that is too large, or compressed and therefore of unknown size. */
export class TooLargeError extends Error {
  constructor(readonly packed = false) {
    super("the answer is too large");
  }
}

/** The service may have closed a socket that was idle for longer, without our knowing: it is not reused. */
const REUSE_WITHIN_MS = 1000;

export interface WireOptions extends ConnectOptions {
  readonly origin: string;
  /** Most connections at once, each with one request at a time. */
  readonly concurrency: number;
  /** Largest answer, in bytes. */
  readonly largest?: number;
}

interface WireRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: string[];
  readonly body: string | null;
}

/** The connections to one tenant. undici is loaded with the first exchange, not with Node-RED. */
export class Wire {
  readonly #options: WireOptions;
  #pool: Pool | undefined;
  #lastActive = -Infinity;
  /** Requests that wait until closed sockets have been noticed, first in, first out. */
  readonly #waiting: (() => void)[] = [];
  readonly #touch = () => {
    this.#lastActive = performance.now();
  };

  constructor(options: WireOptions) {
    this.#options = options;
  }

  /** @param checkBeforeSend called right before the first byte is written; an error keeps the request from being sent */
  exchange(request: WireRequest, checkBeforeSend: () => Error | undefined): Exchange {
    const handler = new Handler(checkBeforeSend, this.#touch, this.#options.largest);
    // After a pause, or a blocked event loop, let sockets that were closed meanwhile report it first.
    const now = performance.now();
    const isFirst = this.#waiting.length === 0;
    if (isFirst && now - this.#lastActive <= REUSE_WITHIN_MS) this.#dispatch(request, handler);
    else {
      this.#waiting.push(() => this.#dispatch(request, handler));
      if (isFirst)
        setImmediate(() => {
          for (const next of this.#waiting.splice(0)) next();
        });
    }
    this.#lastActive = now;
    return handler;
  }

  #dispatch(request: WireRequest, handler: Handler): void {
    if (handler.over) return;
    try {
      this.#pool ??= this.#open();
      this.#pool.dispatch(request, handler);
    } catch (error) {
      // An exception would leave this request without an end, and end the process from `setImmediate`.
      handler.abandon(error as Error);
    }
  }

  #open(): Pool {
    const { Pool } = undici();
    return new Pool(this.#options.origin, {
      connections: this.#options.concurrency,
      pipelining: 1,
      allowH2: false,
      // undici's own timeouts are coarse; the caller keeps one deadline over all attempts.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: REUSE_WITHIN_MS,
      keepAliveMaxTimeout: REUSE_WITHIN_MS,
      connect: connector(this.#options),
    });
  }

  async close(): Promise<void> {
    // Later errors of undici concern nobody.
    await this.#pool?.destroy().catch(() => {});
  }
}

/** Follows one exchange through undici's callbacks. */
class Handler implements Dispatcher.DispatchHandler {
  /** Never rejects. */
  readonly ended: Promise<Answer | Broken>;
  #end!: (ended: Answer | Broken) => void;
  readonly #checkBeforeSend: () => Error | undefined;
  readonly #touch: () => void;
  readonly #largest: number;
  #controller: Dispatcher.DispatchController | undefined;
  #began = false;
  #status: number | undefined;
  #headers: Answer["headers"] = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;
  over = false;

  constructor(checkBeforeSend: () => Error | undefined, touch: () => void, largest = LARGEST_ANSWER) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#checkBeforeSend = checkBeforeSend;
    this.#touch = touch;
    this.#largest = largest;
  }

  /** Whether undici has a connection and began to write. */
  get started(): boolean {
    return this.#controller !== undefined;
  }

  /** Gives up. A request that has not started will not be written; the connection of one that has is closed. */
  abandon(error: Error): void {
    if (this.over) return;
    this.#break(error);
    try {
      this.#controller?.abort(error);
    } catch {
      // The exchange has ended already, and its callers are timers.
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const objection = this.over ? new Error("given up before it was sent") : this.#checkBeforeSend();
    if (objection) {
      this.#break(objection);
      // Thrown here, it keeps the connection usable and no byte is written; an abort would close the connection.
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
    const coding = headers["content-encoding"];
    const packed = coding !== undefined && COMPRESSED.test(String(coding));
    if (packed || Number(headers["content-length"]) > this.#largest) this.#refuse(controller, packed);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.over) return;
    this.#size += chunk.length;
    if (this.#size > this.#largest) this.#refuse(controller);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#touch();
    if (this.over) return;
    this.over = true;
    const body = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks);
    this.#end({ status: this.#status ?? 0, headers: this.#headers, body });
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
    this.#end({
      error,
      started: this.started,
      began: this.#began,
      ...(this.#status !== undefined && { status: this.#status }),
    });
  }
}
