import type { StatusKey } from "../../fields";
import { attempt, isLoopback } from "../../json/rules";
import type { Address } from "./address";
import type { ProxyServer } from "./connect";
import { ConnectError } from "./connect-attempt";
import { type Answer, type Broken, TooLargeError, Wire } from "./exchange";

/** The reason why nothing could be fetched, as a text of the catalogue. */
export class DownloadError extends Error {
  constructor(
    readonly key: StatusKey,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(`cannot be fetched: ${key}`);
  }
}

export interface DownloadOptions {
  /** Most bytes of the body. */
  readonly largest: number;
  /** Limit of the whole, redirects included, in milliseconds. */
  readonly limitMs: number;
  readonly proxyFor: (address: Address) => ProxyServer | undefined;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Fetches an address. Redirects are followed to https only. A user name and a password in the address are sent to its own
 * server only. Rejects with DownloadError.
 */
export async function download(url: URL, options: DownloadOptions): Promise<Buffer> {
  const end = performance.now() + options.limitMs;
  let next = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const authorization = redirects === 0 ? basic(url) : undefined;
    const { status, headers, body } = await fetchOne(next, authorization, end - performance.now(), options);
    const { location } = headers;
    if (!REDIRECTS.includes(status) || location === undefined) {
      if (status >= 200 && status < 300) return inUtf8(body, String(headers["content-type"]));
      throw new DownloadError("download.http", { status });
    }
    const target = String(location);
    if (!URL.canParse(target, next)) throw new DownloadError("ERR_REDIRECT");
    next = new URL(target, next);
    if (next.protocol !== "https:") throw new DownloadError("download.notSecure");
  }
  throw new DownloadError("ERR_REDIRECT");
}

/** A text in UTF-8. Its byte order mark counts before the charset of the answer; an unknown charset does not count. */
function inUtf8(body: Buffer, type: string): Buffer {
  const mark = body.toString("latin1", 0, 2);
  const marked = { "\xFF\xFE": "utf-16le", "\xFE\xFF": "utf-16be", "\xEF\xBB": "utf-8" }[mark];
  const [, charset] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type) ?? [];
  return attempt(() => Buffer.from(new TextDecoder(marked ?? charset).decode(body))) ?? body;
}

async function fetchOne(
  { origin, hostname, pathname, search }: URL,
  authorization: string | undefined,
  limitMs: number,
  { largest, proxyFor }: DownloadOptions,
): Promise<Answer> {
  const proxy = proxyFor({ origin, prefix: "", hostname, loopback: isLoopback(hostname) });
  const wire = new Wire({ origin, concurrency: 1, largest, limitMs, ...(proxy && { proxy }) });
  const headers = ["accept", "text/calendar, */*;q=0.5", "accept-encoding", "identity", "user-agent", "Node-RED"];
  if (authorization !== undefined) headers.push("authorization", authorization);
  const exchange = wire.exchange({ method: "GET", path: pathname + search, headers, body: null }, () => undefined);
  const timer = setTimeout(() => exchange.abandon(new DownloadError("ERR_TIMEOUT")), Math.max(0, limitMs));
  try {
    const ended = await exchange.ended;
    if ("error" in ended) throw reasonOf(ended);
    return ended;
  } finally {
    clearTimeout(timer);
    void wire.close();
  }
}

function reasonOf({ error }: Broken): DownloadError {
  if (error instanceof DownloadError) return error;
  if (error instanceof TooLargeError)
    return new DownloadError(error.packed ? "ERR_BAD_RESPONSE" : "ERR_RESPONSE_TOO_LARGE");
  if (!(error instanceof ConnectError)) return new DownloadError("ERR_CONNECTION_LOST");
  const { phase, sys } = error;
  if (phase === "dns") return new DownloadError("ERR_DNS");
  return new DownloadError(phase === "tls" ? "ERR_TLS" : sys === "TIMEOUT" ? "ERR_CONNECT_TIMEOUT" : "ERR_CONNECT");
}

function basic({ username, password }: URL): string | undefined {
  if (username === "") return undefined;
  const given = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(given).toString("base64")}`;
}
