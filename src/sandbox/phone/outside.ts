/** Characters of an answer that are stored. */
const STORED_CHARACTERS = 2000;
const MOST_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;

/** What an address outside of the sandbox has answered. */
export type Fetched =
  | { readonly status: number; readonly type: string; readonly text: string }
  /** `host`: the host is not allowed, and nothing was sent. `failed`: there was no answer. */
  | { readonly problem: "host" | "address" | "failed"; readonly detail: string };

/** Characters of a content type or an error that are stored. */
const STORED_DETAIL = 200;

function isWebAddress(address: string): boolean {
  return /^\s*https?:\/\//i.test(address) && URL.canParse(address);
}

/** Whether requests may go to an address: on this machine, or on a host that is allowed. */
export function mayAsk(address: string, hosts: readonly string[]): boolean {
  if (!isWebAddress(address)) return false;
  const { hostname, host } = new URL(address);
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return isLoopback || hosts.some((allowed) => [hostname, host].includes(allowed.toLowerCase()));
}

/**
 * Sends a request to an address. Follows no redirect: it could lead to a host that is not allowed. Never rejects.
 * @param ended aborts the request
 */
export async function askOutside(
  address: string,
  hosts: readonly string[],
  ended: AbortSignal,
  init: RequestInit = {},
): Promise<Fetched> {
  if (!isWebAddress(address)) return { problem: "address", detail: address.slice(0, STORED_DETAIL) };
  if (!mayAsk(address, hosts)) return { problem: "host", detail: new URL(address).host.slice(0, STORED_DETAIL) };
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(address, { ...init, redirect: "manual", signal });
    const type = (answer.headers.get("content-type") ?? "").slice(0, STORED_DETAIL);
    return { status: answer.status, type, text: (await textOf(answer)).slice(0, STORED_CHARACTERS) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      problem: "failed",
      detail: (cause instanceof Error ? cause.message : String(cause)).slice(0, STORED_DETAIL),
    };
  }
}

async function textOf(answer: Response): Promise<string> {
  if (!answer.body) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}
