export type Values = Readonly<Record<string, string | number>>;

/** The texts of a page by the two letters of their language. */
export type PageTexts<Key extends string = string> = Readonly<Record<string, Readonly<Record<Key, string>>>>;

/** The first of some language tags in which there are texts. */
export function languageOf(tags: readonly string[], texts: PageTexts): string | undefined {
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => Object.hasOwn(texts, tag));
}

/** Texts in one, with the punctuation of their language; empty if there are none. */
export function sideBySide(text: (key: "also", values: Values) => string, texts: readonly string[]): string {
  return texts.reduce((one, more) => (one === "" ? more : text("also", { one, more })), "");
}

/** A text with its placeholders filled. */
export function filled(text: string, values: Values): string {
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}
