import { once } from "node:events";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** Addresses an answer may point at. */
export interface Site {
  /** Base address of the answering server. */
  origin: string;
  /** Base address of another server. */
  elsewhere: string;
}

export type Bytes = string | Uint8Array;

export const bytesOf = (bytes: Bytes): Uint8Array => (typeof bytes === "string" ? Buffer.from(bytes) : bytes);

/**
 * One connection as a fault sees it: bytes are sent exactly as given. Pending waits reject when the connection closes,
 * which ends the fault; the server ignores that rejection.
 */
export class Wire {
  readonly #gone = new AbortController();

  /** @param raw the socket, which under TLS is not the stream that carries HTTP */
  constructor(
    private readonly raw: Socket,
    private readonly stream: Duplex,
    readonly site: Site,
  ) {
    raw.once("close", () => this.#gone.abort());
  }

  /** Aborted when the connection is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether the server can send no more here: it has sent its last byte, or the client is gone. */
  get ended(): boolean {
    return this.stream.writableEnded || this.raw.destroyed;
  }

  /** Resolves when the bytes are on their way, no sooner than the client takes them. */
  async send(...parts: Bytes[]): Promise<void> {
    for (const part of parts) {
      if (this.ended) throw new Error("nothing listens any more");
      if (!this.stream.write(part)) await once(this.stream, "drain", { signal: this.gone });
    }
  }

  /** Sends each byte alone, `everyMs` apart. */
  async drip(bytes: Bytes, everyMs = dripMs): Promise<void> {
    for (const byte of bytesOf(bytes)) {
      await this.send(Uint8Array.of(byte));
      await this.pause(everyMs);
    }
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.gone });
  }

  /** Starts reading, and resolves with the first bytes. Only for a fresh connection that has no reader yet. */
  async firstBytes(): Promise<Buffer> {
    this.raw.resume();
    const [bytes] = (await once(this.raw, "data", { signal: this.gone })) as [Buffer];
    return bytes;
  }

  /** Sends FIN after everything else; what the client still sends is read, or closing would turn into a reset. */
  finish(...last: Bytes[]): void {
    for (const part of last) this.stream.write(part);
    this.stream.end();
    this.stream.resume();
  }

  /** Sends RST; what the kernel has not handed to the client by then is lost. */
  reset(): void {
    const reset = () => this.raw.resetAndDestroy();
    // The system resets no connection whose FIN is on its way (EINVAL).
    if (this.stream.writableEnded && !this.stream.writableFinished) this.stream.once("finish", reset);
    else reset();
  }
}

/** Slow enough that every byte is a packet of its own, fast enough that a client's idle timers never fire. */
const dripMs = 20;
