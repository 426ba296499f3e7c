/** The path of a value in JSON: names, and the indexes of lists. */
export type JsonPath = readonly (string | number)[];

/** Sets a value in an object, with the objects and lists on the way. */
export function setAt(target: object, [part = "", ...rest]: JsonPath, value: unknown): void {
  const at = target as Record<string | number, unknown>;
  if (part === "__proto__") return;
  if (rest.length === 0) {
    at[part] = value;
    return;
  }
  if (typeof at[part] !== "object" || at[part] === null) at[part] = typeof rest[0] === "number" ? [] : {};
  setAt(at[part] as object, rest, value);
}
