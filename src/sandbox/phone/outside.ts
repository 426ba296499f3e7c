import { type IncomingMessage, type RequestOptions, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isLoopback } from "../../json/rules";

/** Characters of an answer that are stored. */
const STORED_CHARACTERS = 2000;
const MOST_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

/** The answer of an address outside of the sandbox. */
export type Fetched =
  | { readonly status: number; readonly type: string; readonly text: string }
  /** `host`: the host is not allowed, and nothing was sent. `failed`: there was no answer. */
  | { readonly problem: "host" | "address" | "failed"; readonly detail: string };

/** Characters of a content type or an error that are stored. */
const STORED_DETAIL = 200;

function isWebAddress(address: string): boolean {
  return /^\s*https?:\/\//i.test(address) && URL.canParse(address);
}

/** The server that the sandbox belongs to. On loopback its certificate does not fit: it is for a public name. */
export interface OwnServer {
  /** Names with ports, besides loopback. */
  readonly hosts: readonly string[];
  readonly port?: number;
}

/** The hosts to which requests may go, and what ends them. */
export interface Outside {
  readonly allowedHosts: readonly string[];
  readonly own: OwnServer;
  readonly outside: AbortController;
}

/** Whether requests may go to an address: on this machine, or on a host that is allowed. */
export function mayAsk(address: string, hosts: readonly string[]): boolean {
  if (!isWebAddress(address)) return false;
  const { hostname, host } = new URL(address);
  return isLoopback(hostname) || hosts.some((allowed) => [hostname, host].includes(allowed.toLowerCase()));
}

/** Sends a request to an address. Follows no redirect: it could lead to a host that is not allowed. Never rejects. */
export async function askOutside(
  address: string,
  { allowedHosts, own, outside }: Outside,
  { body, ...init }: Pick<RequestOptions, "method" | "headers"> & { readonly body?: string } = {},
): Promise<Fetched> {
  if (!isWebAddress(address)) return { problem: "address", detail: address.slice(0, STORED_DETAIL) };
  const url = new URL(address);
  if (!mayAsk(address, allowedHosts)) return { problem: "host", detail: url.host.slice(0, STORED_DETAIL) };
  try {
    const signal = AbortSignal.any([outside.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const rejectUnauthorized = !(isLoopback(url.hostname) && Number(url.port || 443) === own.port);
    const answer = await send(url, { ...init, agent: false, signal, rejectUnauthorized }, body);
    const type = (answer.headers["content-type"] ?? "").slice(0, STORED_DETAIL);
    return { status: answer.statusCode ?? 0, type, text: (await textOf(answer)).slice(0, STORED_CHARACTERS) };
  } catch (error) {
    const { cause = error } = error as Error;
    // Node leaves the message empty if each address of a host refuses.
    const { message, code } = cause as NodeJS.ErrnoException;
    return { problem: "failed", detail: String(message || code).slice(0, STORED_DETAIL) };
  }
}

function send(url: URL, options: RequestOptions & { rejectUnauthorized: boolean }, body?: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.protocol === "https:" ? requestSecure : requestPlain;
    request(url, options, resolve).on("error", reject).end(body);
  });
}

async function textOf(answer: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}
