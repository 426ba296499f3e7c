import { createHash } from "node:crypto";
import { attempt } from "../../json/rules";

const MAX_REMEMBERED = 100;

/**
 * Keeps the last results by content, refusals among them, so that what comes with every message is read once. The content itself is not kept,
 * apart from the last text: a schedule may come with megabytes of other properties.
 */
export function memoizeByContent<T>(read: (value: unknown, field: string) => T | Promise<T>) {
  const results = new Map<unknown, Promise<T>>();
  let last: { readonly text: string; readonly result: Promise<T> } | undefined;
  return (value: unknown, field: string): Promise<T> => {
    // The text of a calendar in a context store is the same string for every message, and long.
    if (last && value === last.text) return last.result;
    const content = digestOf(value);
    const known = results.get(content);
    const result = known ?? (async () => read(value, field))();
    if (!known && results.size >= MAX_REMEMBERED) results.clear();
    if (!known && content !== undefined) results.set(content, result);
    if (typeof value === "string") last = { text: value, result };
    return result;
  };
}

/** The digest of a value; `undefined` if it is not JSON. */
function digestOf(value: unknown): string | undefined {
  return attempt(() => {
    const content = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
    return createHash("sha256").update(content).digest("base64");
  });
}
