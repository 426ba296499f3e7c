import { limits } from "../service/choices";
import { type Answer, timestamp } from "../service/envelope";
import type { Body, RequestInfo } from "../service/request";

/** A request and its answer. Headers are not kept, since any of them may carry the token. */
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
}

/** JSON texts, whose size is known, where parsed JSON may take twenty times their memory. */
interface Entry {
  /** Everything but the body. */
  readonly head: string;
  readonly bodyBytes: number;
  body: string;
}

/** The newest 500 requests. Their bodies are kept within a number of characters, the newest first. */
export class RequestLog {
  readonly #entries: Entry[] = [];
  #count = 0;
  #characters = 0;

  /** @param isRefused the body is not kept: anybody can have a request refused, a web page too */
  add(request: RequestInfo, { status, envelope }: Answer, durationMs: number, isRefused: boolean): void {
    const { method, path, query, body } = request;
    this.#count += 1;
    const head: Omit<LoggedRequest, "body"> = {
      number: this.#count,
      at: timestamp(),
      method,
      path: shortened(path),
      query: shortQuery(query),
      status,
      message: shortened(envelope.message),
      durationMs: Math.round(durationMs * 1000) / 1000,
    };
    const kept = isRefused && body.bytes > 0 ? note(body.bytes, "not kept: the request was refused") : keptBody(body);
    this.#entries.push({ head: JSON.stringify(head), bodyBytes: body.bytes, body: kept });
    this.#characters += kept.length;
    if (this.#entries.length > limits.loggedRequests) this.#characters -= this.#entries.shift()?.body.length ?? 0;
    for (const entry of this.#entries) {
      if (this.#characters <= limits.loggedCharacters) break;
      this.#characters -= entry.body.length;
      if (entry.bodyBytes > 0) entry.body = note(entry.bodyBytes, "no longer kept");
      this.#characters += entry.body.length;
    }
  }

  /** The newest `count` requests, the oldest of them first. */
  newest(count?: number): LoggedRequest[] {
    return JSON.parse(this.newestAsJson(count));
  }

  /** The same as a JSON text. */
  newestAsJson(count: number = limits.loggedRequests): string {
    const newest = this.#entries.slice(Math.max(0, this.#entries.length - count));
    return `[${newest.map(({ head, body }) => `${head.slice(0, -1)},"body":${body}}`).join(",")}]`;
  }
}

function keptBody({ bytes, text, value }: Body): string {
  if (bytes === 0) return "null";
  if (bytes > limits.loggedBodyBytes) return note(bytes, "too large for the log");
  if (text === undefined) return note(bytes, "no UTF-8");
  return value === undefined ? JSON.stringify(text) : text;
}

function note(bytes: number, why: string): string {
  return JSON.stringify(`(${bytes} bytes, ${why})`);
}

function shortened(text: string): string {
  return text.length <= limits.loggedText ? text : `${text.slice(0, limits.loggedText)}…`;
}

function shortQuery(query: URLSearchParams): Record<string, string> {
  const length = query.toString().length;
  return length <= limits.loggedText ? Object.fromEntries(query) : { "…": `(${length} characters, not kept)` };
}
