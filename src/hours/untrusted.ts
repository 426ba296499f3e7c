import { ValueError } from "./value-error";

/** JSON text longer than this is not parsed. It is also the size of the largest request. */
const MAX_TEXT = 256 * 1024;

/** Reads an own property of a value from a message. Inherited properties are not data. */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

/** Whether a value is given: `undefined`, `null` and `""` are not. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

const YES: readonly unknown[] = [true, "true", "1", "on", 1];
const NO: readonly unknown[] = [false, "false", "0", "off", 0];

/** A boolean in any of its spellings; `undefined` for anything else. */
export function booleanIn(value: unknown): boolean | undefined {
  const given = typeof value === "string" ? value.trim() : value;
  return YES.includes(given) || (NO.includes(given) ? false : undefined);
}

/** The value itself, or its content when it is JSON text. */
export function parsed(value: unknown, path: string): unknown {
  if (typeof value !== "string" || value === "") return value;
  if (value.length > MAX_TEXT) throw new ValueError("input.hours.textLong", path, { most: MAX_TEXT });
  try {
    return JSON.parse(value);
  } catch {
    throw new ValueError("input.hours.json", path);
  }
}

/**
 * Reads each entry of a list, or of its JSON text.
 * @param read gets an entry and its path
 * @throws ValueError `listExpected`, `listLong`, and the errors of `read`
 */
export function readList<T>(
  value: unknown,
  path: string,
  most: number,
  read: (entry: unknown, path: string) => T,
): T[] {
  const list = parsed(value, path);
  if (!Array.isArray(list)) throw new ValueError("input.hours.listExpected", path, { value: list });
  if (list.length > most) throw new ValueError("input.hours.listLong", path, { most });
  // Array.from, because map skips the holes of a sparse list.
  return Array.from(list, (entry: unknown, index) => read(entry, `${path}[${index}]`));
}

/** The path of a property of the value at `path`. */
export function within(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
