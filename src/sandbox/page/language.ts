const DEFAULT_LANGUAGE = "en";

export type Values = Readonly<Record<string, string | number>>;

/** JSON that stands in the page. */
export function dataIn(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}");
}

const texts = dataIn("texts") as Readonly<Record<string, Readonly<Record<string, string>>>>;
/** Two letters each. */
export const languages = Object.keys(texts);
let language = preferredLanguage();

/** The language in the page's address, or else the first supported one of the browser's. */
function preferredLanguage(): string {
  const requested = new URLSearchParams(location.search).get("lang");
  return (
    [...(requested ? [requested] : []), ...navigator.languages]
      .map((tag) => tag.slice(0, 2).toLowerCase())
      .find((tag) => languages.includes(tag)) ?? DEFAULT_LANGUAGE
  );
}

export function currentLanguage(): string {
  return language;
}

export function chooseLanguage(chosen: string): void {
  language = chosen;
}

/** A text in the language of the page, with its placeholders filled. */
export function translate(key: string, values: Values = {}): string {
  const text = texts[language]?.[key] ?? key;
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}
