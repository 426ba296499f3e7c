import { createHash } from "node:crypto";

const MAX_REMEMBERED = 100;

/**
 * Keeps the last results by content, so that what comes with every message is read once. The content itself is not kept,
 * apart from the last text: a schedule may come with megabytes of other properties.
 */
export function memoizeByContent<T>(read: (value: unknown, field: string) => T): (value: unknown, field: string) => T {
  const results = new Map<string, T>();
  let last: { text: string; result: T } | undefined;
  return (value, field) => {
    // The text of a calendar in a context store is the same string for every message, and long.
    if (typeof value === "string" && value === last?.text) return last.result;
    const result = remembered(value, field);
    if (typeof value === "string") last = { text: value, result };
    return result;
  };

  function remembered(value: unknown, field: string): T {
    const content = digestOf(value);
    const known = content === undefined ? undefined : results.get(content);
    if (known !== undefined) return known;
    const result = read(value, field);
    if (results.size >= MAX_REMEMBERED) results.clear();
    if (content !== undefined) results.set(content, result);
    return result;
  }
}

/** `undefined` for a value that is not JSON. */
function digestOf(value: unknown): string | undefined {
  try {
    const content = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
    return createHash("sha256").update(content).digest("base64");
  } catch {
    return undefined;
  }
}
