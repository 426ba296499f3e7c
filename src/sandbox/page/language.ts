const DEFAULT_LANGUAGE = "en";

/** Two letters: the language in the page's address, or else the first supported one of the browser's. */
export function preferredLanguage(supported: readonly string[]): string {
  const requested = new URLSearchParams(location.search).get("lang");
  return (
    [...(requested ? [requested] : []), ...navigator.languages]
      .map((tag) => tag.slice(0, 2).toLowerCase())
      .find((tag) => supported.includes(tag)) ?? DEFAULT_LANGUAGE
  );
}

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}
