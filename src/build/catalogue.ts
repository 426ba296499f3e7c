/** The nested texts of a language for one node. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** The texts that a dialog may use: its own, and those that all nodes share. */
export class Catalogue {
  /** Shared texts that the dialog uses, and that its own shipped catalogue therefore needs. */
  readonly borrowed = new Set<string>();

  constructor(
    readonly own: Texts,
    readonly shared: Texts,
  ) {}

  /** Whether a text has the key; the editor's code finds the shared ones where they are. */
  has(key: string): boolean {
    return textOf(this.own, key) !== undefined || textOf(this.shared, key) !== undefined;
  }

  /** The key, where a text has it. */
  find(key: string): string | undefined {
    if (textOf(this.own, key) !== undefined) return key;
    if (textOf(this.shared, key) === undefined) return undefined;
    this.borrowed.add(key);
    return key;
  }
}

/** A node's texts with those that it borrows from the shared ones of the same language. */
export function withBorrowed(own: Texts, shared: Texts, keys: Iterable<string>): Texts {
  const texts = structuredClone(own) as Record<string, string | Texts>;
  for (const key of keys) {
    const text = textOf(shared, key);
    if (text !== undefined) put(texts, key.split("."), text);
  }
  return texts;
}

function textOf(texts: Texts, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, step) => (typeof at === "object" ? at[step] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}

function put(texts: Record<string, string | Texts>, [step = "", ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    texts[step] = text;
    return;
  }
  const inner = { ...(texts[step] as Texts | undefined) };
  texts[step] = inner;
  put(inner, rest, text);
}
