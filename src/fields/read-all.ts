import type { Source } from "./sources/source";

/** Reads several sources; a promise only where one of them needs it, since most messages need none. */
export function readAll(
  entries: readonly { readonly source: Source }[],
  message: object,
): unknown[] | Promise<unknown[]> {
  const values: unknown[] = [];
  let pending = false;
  try {
    for (const { source } of entries) {
      const value = source.read(message);
      pending ||= value instanceof Promise;
      values.push(value);
    }
  } catch (error) {
    if (!pending) throw error;
    // What was begun may still be refused: its rejection must find somebody who listens.
    values.push(Promise.reject(error));
  }
  return pending ? Promise.all(values) : values;
}
