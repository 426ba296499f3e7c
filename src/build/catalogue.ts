/** The nested texts of a language for one node. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** The texts that a dialog may use: its own, and those that all nodes share. */
export class Catalogue {
  constructor(
    readonly own: Texts,
    readonly shared: Texts,
    /** Namespace of the shared texts, with its colon. */
    readonly sharedPrefix: string,
  ) {}

  /** The key as markup must say it, `undefined` where no text has it. */
  find(key: string): string | undefined {
    if (has(this.own, key)) return key;
    return has(this.shared, key) ? this.sharedPrefix + key : undefined;
  }
}

function has(texts: Texts, key: string): boolean {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, step) => (typeof at === "object" ? at[step] : undefined), texts);
  return typeof found === "string";
}
