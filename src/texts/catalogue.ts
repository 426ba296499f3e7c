/** The nested texts of one language: first those that nodes share, then each node's own under its type. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue;
}

type Values = Readonly<Record<string, unknown>>;

/** The text under a dotted key. */
export function textAt(texts: Catalogue, key: string): string | undefined {
  const step = (at: string | Catalogue | undefined, name: string) => (typeof at === "object" ? at[name] : undefined);
  const found = key.split(".").reduce<string | Catalogue | undefined>(step, texts);
  return typeof found === "string" ? found : undefined;
}

/** A text with its placeholders filled; those without a value stay. */
export function filled(text: string, values: Values): string {
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}

/**
 * Joins texts, side by side or one after the other, with the punctuation of their language; empty if there are none.
 * @param text makes a text of the catalogue, in any language
 * @param key of a text with `one` and `more`
 */
export function joined<Key extends string>(
  text: (key: Key, values: Readonly<Record<"one" | "more", string>>) => string,
  key: Key,
  [first = "", ...others]: readonly string[],
): string {
  return others.reduce((one, more) => text(key, { one, more }), first);
}

/** The parts that there are, with a blank between them. */
export function line(...parts: readonly unknown[]): string {
  return parts.filter(Boolean).join(" ");
}

/** A sentence with its instants as people write them: `2026-12-01 09:00:00`. */
export function withPlainInstants(sentence: string): string {
  return sentence.replaceAll(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?[+-]\d\d:\d\d/g, "$1 $2");
}

/**
 * The texts of a page in the first of some languages that it has, else in English.
 * @param texts by the two letters of their language
 * @param tags such as `de` or `zh-CN`
 */
export function pageTexts<Key extends string>(
  texts: Readonly<Record<string, Readonly<Record<Key, string>>>>,
  tags: readonly string[],
) {
  const letters = tags.map((tag) => tag.slice(0, 2).toLowerCase());
  const language = letters.find((each) => Object.hasOwn(texts, each)) ?? "en";
  return { language, text: (key: Key, values: Values = {}) => filled(texts[language]?.[key] ?? key, values) };
}
