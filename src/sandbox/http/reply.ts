import type { Answer } from "../service/envelope";

/** What goes out over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function envelopeReply({ status, headers, envelope }: Answer): Reply {
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(envelope) };
}

export function listReply(list: readonly unknown[]): Reply {
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
    body: JSON.stringify(list),
  };
}
