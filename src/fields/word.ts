import type { WordKey } from "./text-key";

/** Words inside a sentence, as a key below `words` in the catalogue, so that they are in the reader's language. */
export interface Word {
  readonly word: WordKey;
}

/** Modes of a node. The dialog has translated names for them. */
export type ModeName = Extract<WordKey, "simple" | "advanced">;

/** Values for the placeholders of a sentence. */
export type Params = Readonly<Record<string, string | number | Word>>;

/** Names of sources without a path in the `source` of an error's cause, the same in every language. */
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

/** A source for a sentence: a path unchanged, any other source as a translatable word. */
export function sourceInWords(source: string): string | Word {
  const word = WORDS.get(source);
  return word === undefined ? source : { word };
}
