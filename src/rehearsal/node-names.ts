import { CannotRehearse } from "./world";

export type FlowNode = Readonly<Record<string, unknown>>;

/** The nodes of a flow file, by what a person calls them. */
export class NodeNames {
  readonly #byId: ReadonlyMap<string, FlowNode>;
  /** The ids of the nodes of each name. */
  readonly #idsOf = new Map<unknown, string[]>();

  constructor(flows: readonly FlowNode[]) {
    this.#byId = new Map(flows.map((node) => [String(node["id"]), node]));
    for (const [id, { name }] of this.#byId) {
      const ids = this.#idsOf.get(name) ?? [];
      ids.push(id);
      this.#idsOf.set(name, ids);
    }
  }

  /** The name, or the id of a node without one. */
  nameOf(id: string): string {
    return String(this.#byId.get(id)?.["name"] || id);
  }

  find(id: string): FlowNode | undefined {
    return this.#byId.get(id);
  }

  /**
   * The id of the node that is meant.
   * @throws CannotRehearse
   */
  idOf(idOrName: string): string {
    if (this.#byId.has(idOrName)) return idOrName;
    const ids = (idOrName && this.#idsOf.get(idOrName)) || [];
    const [only] = ids;
    if (only === undefined)
      throw new CannotRehearse(`No node has the id or the name "${idOrName}": correct it in the world or the test.`);
    if (ids.length === 1) return only;
    throw new CannotRehearse(
      `${ids.length} nodes are named "${idOrName}": use the id of one of them (${ids.join(", ")}).`,
    );
  }
}
