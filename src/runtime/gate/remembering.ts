import { createHash } from "node:crypto";

const MAX_REMEMBERED = 100;

/**
 * Keeps the last results by content, so that what comes with every message is read once. The content itself is not kept:
 * a schedule may come with megabytes of other properties.
 */
export function remembering<T>(read: (value: unknown, field: string) => T): (value: unknown, field: string) => T {
  const results = new Map<string, T>();
  return (value, field) => {
    const content = digestOf(value);
    const known = content === undefined ? undefined : results.get(content);
    if (known !== undefined) return known;
    const result = read(value, field);
    if (results.size >= MAX_REMEMBERED) results.clear();
    if (content !== undefined) results.set(content, result);
    return result;
  };
}

/** `undefined` for a value that is not JSON. */
function digestOf(value: unknown): string | undefined {
  try {
    const content = typeof value === "string" ? value : JSON.stringify(value);
    return createHash("sha256").update(content).digest("base64");
  } catch {
    return undefined;
  }
}
