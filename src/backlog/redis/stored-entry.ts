import type { Entry, Key } from "../entry";

/** What the functions in Redis need of an entry, besides the instance that has accepted it. */
interface Head {
  readonly nodeId: string;
  readonly size: number;
  readonly notAfter?: number;
  readonly keys?: readonly Key[];
  readonly anytime?: true;
}

/** An entry as it is kept: head, line feed, content. Redis keeps each key with the use that it has got. */
export function storedEntry({ nodeId, size, notAfter, keys, anytime, content }: Entry, owner: string): string {
  const head = { owner, nodeId, size, notAfter, keys, anytime };
  return `${JSON.stringify(head)}\n${JSON.stringify(content)}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { nodeId, size, notAfter, keys, anytime } = JSON.parse(value.slice(0, cut)) as Head;
  return {
    id,
    nodeId,
    size,
    ...(notAfter !== undefined && { notAfter }),
    ...(keys && { keys }),
    ...(anytime && { anytime }),
    content: JSON.parse(value.slice(cut + 1)),
  };
}
