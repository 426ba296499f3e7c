import type { WordKey } from "./text-key";

/** Words of ours inside a sentence, as a key below `words` in the shared catalogue: they follow the reader's language. */
export interface Word {
  readonly word: WordKey;
}

/** Modes of a node that its dialog calls otherwise. */
export type ModeName = Extract<WordKey, "simple" | "advanced">;

/** What fills the gaps of a sentence. */
export type Params = Readonly<Record<string, string | number | Word>>;

/** Sources that have no path: what `source` in an error's cause calls them, in every language. */
export const DIALOG = "the dialog";
export const NOW = "the current time";
export const JSONATA = "a JSONata expression";
export const TEMPLATE = "a template";

const WORDS: ReadonlyMap<string, WordKey> = new Map([
  [DIALOG, "dialog"],
  [NOW, "now"],
  [JSONATA, "jsonata"],
  [TEMPLATE, "template"],
]);

/** A source as a sentence names it: a path as it is, anything else in words. */
export function sourceInWords(source: string): string | Word {
  const word = WORDS.get(source);
  return word === undefined ? source : { word };
}
