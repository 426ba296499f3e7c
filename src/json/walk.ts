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
