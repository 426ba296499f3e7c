/** The states that outlive the nodes, by kind. At module level, because they must outlive a redeploy: the only such state. */
const kinds = new Map<string, States<unknown>>();
const ofObjects = new Map<string, WeakMap<object, unknown>>();

/** The states of one kind, by node id. */
class States<T> extends Map<string, T> {
  /** The state of a node. It is made if there is none. */
  of(id: string, make: () => T): T {
    const state = this.get(id) ?? make();
    this.set(id, state);
    return state;
  }
}

/** The states of one kind, by node id. Remove a state when its node is gone and nothing is left to do. */
export function perNode<T>(kind: string): States<T> {
  const known = kinds.get(kind) ?? new States<unknown>();
  kinds.set(kind, known);
  return known as States<T>;
}

/** The states of one kind, by an object to which each belongs and with which it goes. */
export function perObject<K extends object, T>(kind: string): WeakMap<K, T> {
  const known = ofObjects.get(kind) ?? new WeakMap<object, unknown>();
  ofObjects.set(kind, known);
  return known as WeakMap<K, T>;
}

export function heldOf(nodeId: string): string[] {
  return [...kinds].filter(([, states]) => states.has(nodeId)).map(([kind]) => kind);
}
