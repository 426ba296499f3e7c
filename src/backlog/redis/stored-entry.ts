import type { Entry, Key } from "../backlog";

/** What the functions in Redis need of an entry. */
interface Head {
  /** The instance that has accepted it. */
  readonly owner: string;
  readonly nodeId: string;
  readonly size: number;
  readonly notAfter?: number;
  readonly keys?: readonly Key[];
  readonly anytime?: true;
}

/** An entry as it is kept: head, line feed, content. Redis keeps each key with the use that it has got. */
export function storedEntry({ id: _, content, ...head }: Entry, owner: string): string {
  return `${JSON.stringify({ owner, ...head } satisfies Head)}\n${JSON.stringify(content)}`;
}

export function readEntry(id: string, value: string): Entry {
  const cut = value.indexOf("\n");
  const { owner: _, ...head } = JSON.parse(value.slice(0, cut)) as Head;
  return { id, ...head, content: JSON.parse(value.slice(cut + 1)) };
}
