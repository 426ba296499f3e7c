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
  /** The parsed JSON; the text of a body that is not JSON; a note in place of a large body; null for none. */
  readonly body: unknown;
  readonly status: number;
  readonly message: string;
  readonly durationMs: number;
}

/** The newest 500 requests. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];
  #count = 0;

  add({ method, path, query, body }: RequestInfo, { status, envelope }: Answer, durationMs: number): void {
    this.#count += 1;
    this.#entries.push({
      number: this.#count,
      at: timestamp(),
      method,
      path,
      query: Object.fromEntries(query),
      body: loggedBody(body),
      status,
      message: envelope.message,
      durationMs: Math.round(durationMs * 1000) / 1000,
    });
    if (this.#entries.length > limits.loggedRequests) this.#entries.shift();
  }

  /** The newest `count` requests, the oldest of them first. */
  newest(count: number = limits.loggedRequests): LoggedRequest[] {
    return this.#entries.slice(Math.max(0, this.#entries.length - count));
  }
}

function loggedBody({ bytes, text, value }: Body): unknown {
  if (bytes === 0) return null;
  if (bytes > limits.loggedBodyBytes) return `(${bytes} bytes, too large for the log)`;
  return value ?? text ?? `(${bytes} bytes, no UTF-8)`;
}
