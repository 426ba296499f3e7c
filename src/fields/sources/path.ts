import { FORBIDDEN_KEYS } from "../kinds/coerce";

/** A parsed property path: keys, and nested paths for `payload[msg.topic]`. */
export type Path = readonly (string | number | Path)[];

/**
 * Follows a path of the flow. A missing value is `undefined`; only a getter can throw.
 * Inherited properties are read, such as the `headers` of an HTTP request, but not those of `Object.prototype`.
 */
export function follow(root: object, path: Path): unknown {
  let value: unknown = root;
  for (const step of path) {
    const key = typeof step === "object" ? follow(root, withoutRoot(step)) : step;
    if (value === undefined || value === null) return undefined;
    if ((typeof key !== "string" && typeof key !== "number") || FORBIDDEN_KEYS.has(key)) return undefined;
    if (!Object.hasOwn(value, key) && (typeof value !== "object" || key in Object.prototype)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/** Follows a path of the default mapping. Reads only own properties of objects and lists. */
export function followOwn(root: object, path: readonly string[]): unknown {
  let value: unknown = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

export function isForbidden(path: Path): boolean {
  return path.some((step) => (typeof step === "object" ? isForbidden(step) : FORBIDDEN_KEYS.has(step)));
}

/** Removes the root: `msg.payload` and `payload` mean the same property of a message. */
export function withoutRoot(path: Path): Path {
  return path[0] === "msg" ? path.slice(1) : path;
}
