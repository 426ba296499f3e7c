import { englishLabels } from "../../fields/english";
import type { FlowNode } from "../lint/flow-node";
import { CannotRehearse } from "./world";

/** The types of what a flow file has besides nodes. */
const NO_NODES: readonly unknown[] = ["tab", "subflow", "group", "comment"];

/** The nodes of a flow file, by what a person calls them. */
export class NodeNames {
  readonly #byId: ReadonlyMap<string, FlowNode>;
  readonly #idsOf = new Map<unknown, string[]>();
  readonly #label = englishLabels((id) => this.find(id));

  readonly #running: ReadonlySet<string>;

  /** @param running those that are rehearsed */
  constructor(flows: readonly FlowNode[], running = flows) {
    this.#running = new Set(running.map(({ id }) => id));
    this.#byId = new Map(flows.map((node) => [node.id, node]));
    for (const [id, { name, type }] of this.#byId) {
      if (NO_NODES.includes(type)) continue;
      const ids = this.#idsOf.get(name) ?? [];
      ids.push(id);
      this.#idsOf.set(name, ids);
    }
  }

  /** The name, or the label on the canvas of a node without one. */
  nameOf(id: string): string {
    const node = this.find(id);
    return node ? this.#label(node) : id;
  }

  /** A node as the flow file has it. In an instance of a subflow, its id has that of the instance in front. */
  find(id: string): FlowNode | undefined {
    const parts = id.split("-");
    return parts.map((_, index) => this.#byId.get(parts.slice(index).join("-"))).find(Boolean);
  }

  /** @throws CannotRehearse */
  idOf(idOrName: string): string {
    const found = this.find(idOrName);
    if (found && !NO_NODES.includes(found.type)) return idOrName;
    const all = (idOrName && this.#idsOf.get(idOrName)) || [];
    const running = all.filter((id) => this.#running.has(id));
    const ids = running.length > 0 ? running : all;
    const [only] = ids;
    if (only === undefined)
      throw new CannotRehearse(`No node has the id or the name "${idOrName}": correct it in the world or the test.`);
    if (ids.length === 1) return only;
    throw new CannotRehearse(
      `${ids.length} nodes are named "${idOrName}": use the id of one of them (${ids.join(", ")}).`,
    );
  }

  /**
   * Finds an id as `idOf` does, of a node that receives an input: it must be enabled, and not in a subflow, since each instance of a
   * subflow has nodes of its own.
   * @throws CannotRehearse
   */
  runningIdOf(idOrName: string): string {
    const id = this.idOf(idOrName);
    const node = this.find(id);
    const home = this.find(String(node?.["z"]));
    if (node?.["d"] === true || home?.["disabled"] === true)
      throw new CannotRehearse(`Nothing can come in at "${idOrName}", because it is disabled: enable it.`);
    if (!node || !this.#running.has(node.id))
      throw new CannotRehearse(
        `Nothing can come in at "${idOrName}", because its flow is not rehearsed: choose it, too.`,
      );
    if (home?.type !== "subflow") return id;
    throw new CannotRehearse(`Nothing can come in at "${idOrName}", because it is in a subflow: name a node in a tab.`);
  }
}
