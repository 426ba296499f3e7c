import type { Dispatcher, Pool } from "undici";
import type { Begin } from "./closed-loop";
import { failed } from "./failed";
import { type Subject, TARGETS, TOKEN, wireBody } from "./subject";

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
export function undiciAlone(origin: string, connections: number) {
  const undici = require("undici") as typeof import("undici");
  const pool = new undici.Pool(origin, { connections, pipelining: 1, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
  return {
    /** As undici is commonly used: a promise for each request, its body written and read as JSON. */
    request: (subject: Subject): Begin => requests(pool, subject),
    /** The least that undici can do: callbacks, the answer's bytes left unread. */
    dispatch: (subject: Subject): Begin => dispatches(pool, subject),
  };
}

function requests(pool: Pool, subject: Subject): Begin {
  const ask = async () => {
    const body = JSON.stringify(wireBody(subject));
    const answer = await pool.request({ method: "POST", path: TARGETS[subject], headers: HEADERS, body });
    const { success } = (await answer.body.json()) as { success: boolean };
    if (!success || answer.statusCode !== 200) failed("undici alone got another answer");
  };
  return (_, ended) => void ask().then(ended, failed);
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
