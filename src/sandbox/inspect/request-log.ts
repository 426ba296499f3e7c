import { limits } from "../service/assumptions";
import type { Changes } from "../service/changes";
import { type Answer, timestamp } from "../service/envelope";
import type { Body, RequestInfo } from "../service/request";

/** A request and its answer. Headers are not stored, since any of them may carry the token. */
export interface LoggedRequest {
  /** Counts up from 1 and includes requests that are no longer kept. */
  readonly number: number;
  /** The time of the answer. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly status: number;
  readonly message: string;
  readonly durationMs: number;
  /** The parsed JSON; the text of a body that is not JSON; a note in place of a body that is not kept; null for none. */
  readonly body: unknown;
  /** The node of Node-RED that made it, if it is known. */
  readonly node?: string;
  /** The call that it placed: no answer of the service names it. */
  readonly callId?: string;
}

/** JSON texts: their size is known, and parsed they may take twenty times the memory. */
interface Entry {
  /** Everything but the body. */
  readonly head: string;
  /** The number of the change with which it came. */
  readonly change: number;
  readonly bodyBytes: number;
  body: string;
}

/** The newest 500 requests. Their bodies are kept within a number of characters, the newest first. Node.js limits the rest to 16 KB each. */
export class RequestLog {
  readonly #entries: Entry[] = [];
  #count = 0;
  #characters = 0;

  constructor(private readonly changes: Changes) {}

  clear(): void {
    this.#entries.splice(0);
    this.#characters = 0;
  }

  /** The requests that came after that change, the oldest first. */
  since(change: number): LoggedRequest[] {
    const first = this.#entries.findIndex((entry) => entry.change > change);
    return first === -1 ? [] : JSON.parse(jsonOf(this.#entries.slice(first)));
  }

  /**
   * @param isRefused the body is not stored: any client can send requests that are refused, a web page too
   * @param callId the call that it placed
   */
  add(
    request: RequestInfo,
    { status, envelope }: Answer,
    durationMs: number,
    isRefused: boolean,
    callId?: string,
  ): void {
    const { method, path, query, body, node } = request;
    this.#count += 1;
    const head: Omit<LoggedRequest, "body"> = {
      number: this.#count,
      at: timestamp(),
      method,
      path,
      query: Object.fromEntries(query),
      status,
      message: envelope.message,
      durationMs: Math.round(durationMs * 1000) / 1000,
      ...(node !== undefined && { node }),
      ...(callId !== undefined && { callId }),
    };
    const stored =
      isRefused && body.bytes > 0 ? note(body.bytes, "not kept: the request was refused") : storedBody(body);
    const change = this.changes.next();
    this.#entries.push({ head: JSON.stringify(head), change, bodyBytes: body.bytes, body: stored });
    this.#characters += stored.length;
    if (this.#entries.length > limits.loggedRequests) this.#characters -= this.#entries.shift()?.body.length ?? 0;
    for (const entry of this.#entries) {
      if (this.#characters <= limits.loggedCharacters) break;
      this.#characters -= entry.body.length;
      if (entry.bodyBytes > 0) entry.body = note(entry.bodyBytes, "no longer kept");
      this.#characters += entry.body.length;
    }
  }

  /** The newest `count` requests, the oldest of them first. */
  newestAsJson(count: number = limits.loggedRequests): string {
    return jsonOf(this.#entries.slice(Math.max(0, this.#entries.length - count)));
  }
}

function jsonOf(entries: readonly Entry[]): string {
  return `[${entries.map(({ head, body }) => `${head.slice(0, -1)},"body":${body}}`).join(",")}]`;
}

function storedBody({ bytes, text, value }: Body): string {
  if (bytes === 0) return "null";
  if (bytes > limits.loggedBodyBytes) return note(bytes, "too large for the log");
  if (text === undefined) return note(bytes, "no UTF-8");
  return value === undefined ? JSON.stringify(text) : text;
}

function note(bytes: number, why: string): string {
  return JSON.stringify(`(${bytes} bytes, ${why})`);
}
