import type { Config } from "../../fields";
import { knownProperties } from "../../runtime/node-properties";
import type { NodeDeclaration } from "../../runtime/register";

/** The names of properties that a node does not have, each with the known one that may be meant. */
export function unknownProperties(node: NodeDeclaration, config: Config): [name: string, meant: string | undefined][] {
  const known = knownProperties(node);
  return Object.keys(config)
    .filter((name) => !known.includes(name))
    .map((name) => [name, nearest(name, known)]);
}

/** The name that is written most like a misspelt one, `undefined` if none is near. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => [distance(name.toLowerCase(), each.toLowerCase()), each] as const)
    .filter(([edits, each]) => edits <= Math.max(1, Math.floor(each.length / 3)))
    .sort(([a], [b]) => a - b);
  return near[0]?.[1];
}

/** Counts the letters that differ, are missing or are added (Levenshtein). */
export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(to).entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
