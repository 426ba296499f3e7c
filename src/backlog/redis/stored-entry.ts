import type { Entry } from "../entry";

/** What the functions in Redis need of an entry, and what else is not opaque. */
type Head = Omit<Entry, "id" | "content" | "heldBack">;

/** An entry as it is kept: head, line feed, content. Redis keeps each key with the use that it has got. */
export function storedEntry({ id: _id, heldBack: _heldBack, content, ...head }: Entry): string {
  return `${JSON.stringify(head)}\n${content}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { keys, ...head } = JSON.parse(value.slice(0, cut)) as Head;
  // An empty list comes back from Redis as an object.
  const held = keys && Object.values(keys);
  return { id, ...head, ...(held && { keys: held }), content: value.slice(cut + 1) };
}
