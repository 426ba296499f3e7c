import { CannotRehearse } from "./rehearsal";

export type FlowNode = Readonly<Record<string, unknown>>;

/** The nodes of a flow file, by what a person calls them. */
export class NodeNames {
  readonly #byId = new Map<string, FlowNode>();
  readonly #byName = new Map<string, FlowNode[]>();

  constructor(flows: readonly FlowNode[]) {
    for (const node of flows) {
      this.#byId.set(String(node["id"]), node);
      const { name } = node;
      if (typeof name === "string" && name !== "") this.#byName.set(name, [...(this.#byName.get(name) ?? []), node]);
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
    const [only, ...others] = this.#byName.get(idOrName) ?? [];
    if (!only)
      throw new CannotRehearse(`No node has the id or the name "${idOrName}": correct it in the world or the test.`);
    if (others.length > 0) {
      const ids = [only, ...others].map(({ id }) => id).join(", ");
      throw new CannotRehearse(
        `${others.length + 1} nodes are named "${idOrName}": use the id of one of them (${ids}).`,
      );
    }
    return String(only["id"]);
  }
}
