/** One request as far as it arrived. Plain data, so that it can cross from a server in another process. */
export interface RequestRecord {
  /** Position among all requests the server saw, from 0, by first byte. */
  index: number;
  connection: number;
  /** Bytes of this request, head and body with their framing. */
  bytes: number;
  firstByteAt: number;
  /** The time at which the last byte of the body was read; absent while the request is not whole. */
  completeAt?: number;
  complete: boolean;
  /** The raw head, as far as it arrived. */
  head: string;
  method: string;
  path: string;
  /** By lower-case name; a repeated header's values are joined with ", ". */
  headers: Record<string, string>;
  body: string;
  /** The call that a whole request is about: its callId, else its to.number in either format. */
  key?: string;
  /** The reason why nothing after this point of the connection was understood. */
  malformed?: string;
  /** The fault that answered it: a name of the catalogue, "good", or "unnamed". */
  fault?: string;
  /** Whether the fault has happened; afterwards it only holds the connection. */
  struck?: true;
}

export interface ConnectionRecord {
  index: number;
  openedAt: number;
  closedAt?: number;
  /** Everything read from the socket: under TLS the handshake and the records. */
  wireBytes: number;
  /** The number of bytes that the client's HTTP side sent: under TLS what was decrypted. Zero while a handshake is not through. */
  bytes: number;
  firstByteAt?: number;
  /** The application protocol TLS agreed on. */
  alpn?: string;
  requests: RequestRecord[];
  /** The fault of the connection before any request: a name of the catalogue or "unnamed". */
  fault?: string;
  /** Code of the error the socket ended with. */
  error?: string;
}

/** The record of what reached a server, byte by byte: evidence for a client's `sent`. */
export class Ledger {
  constructor(readonly connections: ConnectionRecord[] = []) {}

  /** All requests, whole or not, in the order in which they began. */
  get requests(): RequestRecord[] {
    return this.connections.flatMap((connection) => connection.requests).sort((a, b) => a.index - b.index);
  }

  get complete(): RequestRecord[] {
    return this.requests.filter((request) => request.complete);
  }

  /** Bytes of the clients' HTTP side over all connections. */
  get bytes(): number {
    return this.connections.reduce((sum, connection) => sum + connection.bytes, 0);
  }

  /** The whole requests about one call. */
  find(key: string): RequestRecord[] {
    return this.requests.filter((request) => request.key === key);
  }

  /** Finds requests, complete or not, that contain a text: for canaries, and to find a call in a truncated request. */
  containing(text: string): RequestRecord[] {
    return this.requests.filter((request) => request.head.includes(text) || request.body.includes(text));
  }

  /** Counts the whole requests that arrived for each call. */
  arrivals(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { key } of this.complete) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }

  /** Calls that arrived whole more than once. */
  duplicates(): string[] {
    return [...this.arrivals()].filter(([, count]) => count > 1).map(([key]) => key);
  }

  /** Counts how often each fault struck, connections and requests together. */
  tally(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { fault } of [...this.connections, ...this.requests]) {
      if (fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1;
    }
    return counts;
  }

  /** Forgets what was recorded. A connection still open is recorded no further: clear between clients, not under one. */
  clear(): void {
    this.connections.length = 0;
  }
}

/** Reads the call's key out of a request body; undefined when the body is no JSON object or names no call. */
export function callKey(body: string): string | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(body);
  } catch {
    return undefined;
  }
  const [callId, to] = [own(fields, "callId"), own(fields, "to.number") ?? own(own(fields, "to"), "number")];
  const key = callId ?? to;
  return typeof key === "string" || typeof key === "number" ? `${key}` : undefined;
}

function own(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
