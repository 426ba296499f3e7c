import type { Entry } from "../backlog";

/** What the functions in Redis need of an entry. */
interface Head {
  /** The instance that has accepted it. */
  readonly owner: string;
  readonly nodeId: string;
  readonly size: number;
  readonly notAfter?: number;
  readonly hash?: string;
  readonly forMs?: number;
}

/** An entry as it is kept: head, line feed, content. */
export function storedEntry({ nodeId, size, notAfter, keys: [key] = [], content }: Entry, owner: string): string {
  const head: Head = {
    owner,
    nodeId,
    size,
    ...(notAfter !== undefined && { notAfter }),
    ...(key && { hash: key.hash, forMs: key.forMs }),
  };
  return `${JSON.stringify(head)}\n${JSON.stringify(content)}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { nodeId, size, notAfter, hash, forMs } = JSON.parse(value.slice(0, cut)) as Head;
  return {
    id,
    nodeId,
    size,
    ...(notAfter !== undefined && { notAfter }),
    ...(hash !== undefined && forMs !== undefined && { keys: [{ hash, forMs }] }),
    content: JSON.parse(value.slice(cut + 1)),
  };
}
