import type { Body } from "../http/request-body";
import { limits } from "../service/choices";
import type { Answer } from "../service/envelope";
import type { SandboxState } from "../service/state";
import { timestamp } from "../service/timestamp";

/** A request and its answer. No header is kept, since any may carry the token. */
export interface LoggedRequest {
  /** Counts up from 1, also past those that are no longer kept. */
  readonly number: number;
  /** When it was answered. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON; the text of what is no JSON; a note in place of what is too large; null for none. */
  readonly body: unknown;
  readonly status: number;
  readonly message: string;
  readonly durationMs: number;
}

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Body;
}

export function logRequest(state: SandboxState, heard: Heard, answer: Answer, durationMs: number): void {
  state.requestCount += 1;
  state.log.push({
    number: state.requestCount,
    at: timestamp(),
    method: heard.method,
    path: heard.path,
    query: Object.fromEntries(heard.query),
    body: loggedBody(heard.body),
    status: answer.status,
    message: answer.envelope.message,
    durationMs: Math.round(durationMs * 1000) / 1000,
  });
}

function loggedBody({ bytes, text, value }: Body): unknown {
  if (bytes === 0) return null;
  if (bytes > limits.loggedBodyBytes) return `(${bytes} bytes, too large for the log)`;
  return value ?? text ?? `(${bytes} bytes, no UTF-8)`;
}
