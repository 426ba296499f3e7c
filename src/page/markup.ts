/** A piece of HTML. Any other value becomes escaped text in it. */
export class Markup {
  constructor(readonly html: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A template of HTML. Attributes with values must be quoted; lists are joined, and what is not there is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Markup {
  return new Markup(strings.map((each, index) => (index === 0 ? each : written(values[index - 1]) + each)).join(""));
}

function written(value: unknown): string {
  if (value instanceof Markup) return value.html;
  if (Array.isArray(value)) return value.map(written).join("");
  return String(value ?? "").replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
