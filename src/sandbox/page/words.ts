import type catalogue from "../../../locales/en-US/telephony.json";

export type Key = keyof (typeof catalogue)["sandboxPage"];
type Texts = Readonly<Record<Key, string>>;

const FIRST = "en";
const all = JSON.parse(document.getElementById("texts")?.textContent ?? "{}") as Readonly<Record<string, Texts>>;
const asked = new URLSearchParams(location.search).get("lang");

/** The language of the page: the address's, else the first of the browser's that is there. Two letters. */
export const language =
  [...(asked ? [asked] : []), ...navigator.languages]
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag in all) ?? FIRST;

/** A text in the language of the page, with its gaps filled. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  const text = all[language]?.[key] ?? key;
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}
