import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

/** A raw client: sends the given bytes, and keeps the received ones. */
export class RawClient {
  #parts: Buffer[] = [];
  /** How the connection ended, seen from here. */
  readonly end: Promise<"fin" | "reset">;

  private constructor(private readonly socket: Socket) {
    this.end = new Promise((resolve) => {
      socket.once("end", () => resolve("fin"));
      socket.once("error", () => resolve("reset"));
    });
    socket.on("data", (bytes: Buffer) => {
      this.#parts.push(bytes);
    });
  }

  /** Returns immediately; a failed connection is reported by {@link end}. */
  static dial(port: number, tls?: ConnectionOptions): RawClient {
    const address = { host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true };
    return new RawClient(tls ? connectTls({ ...address, ...tls }) : connect(address));
  }

  /** Resolves when connected, and with `tls` when the handshake is through; rejects as the socket does. */
  static async open(port: number, tls?: ConnectionOptions): Promise<RawClient> {
    const client = RawClient.dial(port, tls);
    await once(client.socket, tls ? "secureConnect" : "connect");
    return client;
  }

  get received(): Buffer {
    if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  /** What was received, byte by byte. */
  get text(): string {
    return this.received.toString("latin1");
  }

  /** Resolves when the bytes have left this process, or never will. */
  async send(bytes: string): Promise<void> {
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Resolves when what has come holds; rejects when the connection ends first. */
  async until(holds: (client: this) => boolean): Promise<void> {
    while (!holds(this)) {
      const ended = await Promise.race([once(this.socket, "data").then(() => undefined), this.end]);
      if (ended && !holds(this)) throw new Error(`${ended} after ${this.received.length} bytes`);
    }
  }

  /** The status, headers by lower-case name and body of one answer with a correct length. */
  async answer(): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    await this.until((client) => client.text.includes("\r\n\r\n"));
    const [head = ""] = this.text.split("\r\n\r\n", 1);
    const [statusLine = "", ...lines] = head.split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    const start = head.length + 4;
    const end = start + Number(headers["content-length"] ?? 0);
    await this.until(() => this.received.length >= end);
    const body = this.received.subarray(start, end);
    this.#parts = [this.received.subarray(end)];
    return { status: Number(statusLine.split(" ")[1]), headers, body };
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The bytes of a call-out for one number. */
export function callOut(number: string, token = "canary"): string {
  const body = JSON.stringify({ "from.number": "1000", "to.number": number, answer_url: "https://example.com" });
  return [
    "POST /api/v1/call/call-out HTTP/1.1",
    "Host: 127.0.0.1",
    `Authentication: Bearer ${token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}
