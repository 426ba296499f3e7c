import { SHARED_MARK } from "./shared-texts";

/** The nested texts of a language for one node. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** The texts that a dialog may use: its own, and those that all nodes share. */
export class Catalogue {
  constructor(
    readonly own: Texts,
    readonly shared: Texts,
  ) {}

  /** Whether a text has the key. */
  has(key: string): boolean {
    return textOf(this.own, key) !== undefined || textOf(this.shared, key) !== undefined;
  }

  /** The key as the shipped dialog names it: a shared text is marked as such. */
  find(key: string): string | undefined {
    if (textOf(this.own, key) !== undefined) return key;
    return textOf(this.shared, key) === undefined ? undefined : SHARED_MARK + key;
  }
}

export function textOf(texts: Texts, key: string): string | undefined {
  const found = key
    .split(".")
    .reduce<string | Texts | undefined>((at, step) => (typeof at === "object" ? at[step] : undefined), texts);
  return typeof found === "string" ? found : undefined;
}
