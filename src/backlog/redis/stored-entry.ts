import type { Entry, Key } from "../entry";

/** What the functions in Redis need of an entry. */
interface Head {
  readonly nodeId: string;
  readonly size: number;
  readonly notAfter?: number;
  readonly keys?: readonly Key[];
  readonly anytime?: true;
}

/** An entry as it is kept: head, line feed, content. Redis keeps each key with the use that it has got. */
export function storedEntry({ nodeId, size, notAfter, keys, anytime, content }: Entry): string {
  const head: Head = {
    nodeId,
    size,
    ...(notAfter !== undefined && { notAfter }),
    ...(keys && { keys }),
    ...(anytime && { anytime }),
  };
  return `${JSON.stringify(head)}\n${JSON.stringify(content)}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { keys, ...head } = JSON.parse(value.slice(0, cut)) as Head;
  // An empty list comes back from Redis as an object.
  const held = keys && Object.values(keys);
  return { id, ...head, ...(held && { keys: held }), content: JSON.parse(value.slice(cut + 1)) };
}
