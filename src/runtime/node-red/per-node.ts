/** What outlives the instances of a node, by kind. At module level, because it must outlive a redeploy: the only such state. */
const kinds = new Map<string, Map<string, unknown>>();

/** The states of one kind, by node id. Whoever makes one removes it when the node is gone and nothing is left to do. */
export function perNode<T>(kind: string): Map<string, T> {
  const known = kinds.get(kind) ?? new Map<string, unknown>();
  kinds.set(kind, known);
  return known as Map<string, T>;
}

/** The kinds of state that are held of a node. */
export function heldOf(nodeId: string): string[] {
  return [...kinds].filter(([, states]) => states.has(nodeId)).map(([kind]) => kind);
}
