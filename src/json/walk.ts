/**
 * Visits a value and all values in it, outermost first.
 * @param visit returns `false` where it does not go deeper
 */
export function walk(value: unknown, visit: Visit, key = "", depth = 0): void {
  if (visit(value, key, depth) === false || typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) walk(inner, visit, name, depth + 1);
}

type Visit = (value: unknown, key: string, depth: number) => boolean | undefined;

/** Whether lists and objects nest deeper than some levels: code that goes through them recursively would overflow the stack. */
export function isDeeper(value: unknown, levels: number): boolean {
  let isFound = false;
  walk(value, (each, _, depth) => {
    isFound ||= depth === levels && typeof each === "object" && each !== null;
    return !isFound;
  });
  return isFound;
}

/**
 * A copy in which all texts, names of properties and numbers are changed. A number that becomes none, or loses its zeros, is a text.
 * @param rename changes names, if that differs from texts
 */
export function mapTexts<T>(value: T, change: (text: string) => string, rename?: (name: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string, rename = change): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "number") {
    const text = change(String(value));
    return String(Number(text)) === text ? Number(text) : text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change, rename));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [rename(key), mapTexts(each, change, rename)]));
}
