import { createHash } from "node:crypto";
import { ValueError } from "../../hours/value-error";
import { attempt } from "../../json/rules";

const MAX_REMEMBERED = 100;

/**
 * Keeps the last results by content, refusals among them, so that what comes with every message is read once. The content itself is not kept,
 * apart from the last text: a schedule may come with megabytes of other properties.
 */
export function memoizeByContent<T>(read: (value: unknown, field: string) => T): (value: unknown, field: string) => T {
  const results = new Map<string, () => T>();
  let last: { text: string; result: () => T } | undefined;
  return (value, field) => {
    // The text of a calendar in a context store is the same string for every message, and long.
    const result = typeof value === "string" && value === last?.text ? last.result : resultOf(value, field);
    if (typeof value === "string") last = { text: value, result };
    return result();
  };

  function resultOf(value: unknown, field: string): () => T {
    const content = digestOf(value);
    const known = content === undefined ? undefined : results.get(content);
    if (known !== undefined) return known;
    const result = replay(() => read(value, field));
    if (results.size >= MAX_REMEMBERED) results.clear();
    if (content !== undefined) results.set(content, result);
    return result;
  }
}

/** Returns or throws the same each time. */
function replay<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return () => {
      // Each reader adds the source of its own value.
      throw error instanceof ValueError ? new ValueError(error.key, error.path, error.params) : error;
    };
  }
}

/** `undefined` for a value that is not JSON. */
function digestOf(value: unknown): string | undefined {
  return attempt(() => {
    const content = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
    return createHash("sha256").update(content).digest("base64");
  });
}
