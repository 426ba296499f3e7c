import { HoursError } from "./hours-error";

/** JSON text longer than this is not parsed; the largest request the service gets is as large. */
const MOST_TEXT = 256 * 1024;

/** An own property of a value from a message; what an object inherits was not given by anybody. */
export function own(value: object, key: string | number, path: string): unknown {
  try {
    return Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
  } catch {
    throw new HoursError("unreadable", path);
  }
}

export function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Nothing was given: undefined, null, or an empty text. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The value itself, or what it says when it is JSON text. */
export function parsed(value: unknown, path: string): unknown {
  if (typeof value !== "string" || value === "") return value;
  if (value.length > MOST_TEXT) throw new HoursError("textLong", path, { most: MOST_TEXT });
  try {
    return JSON.parse(value);
  } catch {
    throw new HoursError("json", path);
  }
}

/**
 * Reads each entry of a list, or of its JSON text.
 * @throws HoursError `listExpected`, `listLong`, and what `read` throws; `read` gets the path of its entry
 */
export function readList<T>(
  value: unknown,
  path: string,
  most: number,
  read: (entry: unknown, path: string) => T,
): T[] {
  const list = parsed(value, path);
  if (!Array.isArray(list)) throw new HoursError("listExpected", path, { value: list });
  if (list.length > most) throw new HoursError("listLong", path, { most });
  // Array.from, since map would pass over the holes of a sparse list.
  return Array.from({ length: list.length }, (_, index) => {
    const at = `${path}[${index}]`;
    return read(own(list, index, at), at);
  });
}

/** The path of a property of what is at `path`. */
export function within(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
