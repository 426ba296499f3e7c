import type { Dispatcher, Pool } from "undici";
import type { Begin } from "./closed-loop";
import { failed } from "./failed";
import { type Subject, TARGETS, TOKEN, wireBody } from "./subject";

/** As many as the largest number of requests under way, and then some. */
const CONNECTIONS = 256;

const HEADERS = [
  "Authentication",
  `Bearer ${TOKEN}`,
  "accept",
  "application/json",
  "accept-encoding",
  "identity",
  "content-type",
  "application/json",
];

/** What is left when Node-RED and this package are taken away: the same requests through undici's pool. */
export function undiciAlone(origin: string) {
  const undici = require("undici") as typeof import("undici");
  const pool = new undici.Pool(origin, { connections: CONNECTIONS, pipelining: 1 });
  return {
    /** As undici is commonly used: a promise for each request, its body written and read as JSON. */
    ask: (subject: Subject) => (body: unknown) => ask(pool, TARGETS[subject], body),
    /** The least that undici can do: callbacks, the answer's bytes left unread. */
    dispatch: (subject: Subject) => dispatches(pool, subject),
  };
}

async function ask(pool: Pool, path: string, payload: unknown): Promise<{ success: boolean }> {
  const request = { method: "POST", path, headers: HEADERS, body: JSON.stringify(payload) } as const;
  const { statusCode, body } = await pool.request(request);
  const envelope = (await body.json()) as { success: boolean };
  if (!envelope.success || statusCode !== 200) throw new Error(`undici alone got ${statusCode}`);
  return envelope;
}

function dispatches(pool: Pool, subject: Subject): Begin {
  const body = JSON.stringify(wireBody(subject));
  return (_, ended) =>
    void pool.dispatch({ method: "POST", path: TARGETS[subject], headers: HEADERS, body }, new Handler(ended));
}

class Handler implements Dispatcher.DispatchHandler {
  readonly #ended: () => void;
  readonly #chunks: Buffer[] = [];

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  onRequestStart(): void {}

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    if (status !== 200) failed(`undici alone got ${status}`);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#ended();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    failed(error);
  }
}
