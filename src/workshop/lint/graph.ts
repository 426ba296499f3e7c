import { englishLabels } from "../../fields/english";
import { type FlowNode, list } from "./flow-node";

/** The ways of messages between the nodes of one or more flow files. */
export class Graph {
  readonly nodes: readonly FlowNode[];
  readonly #byId: ReadonlyMap<string, FlowNode>;
  readonly #next: ReadonlyMap<string, readonly string[]>;
  readonly #previous = new Map<string, string[]>();
  /** What the canvas calls a node. */
  readonly label = englishLabels((id) => this.node(id));

  constructor(nodes: readonly FlowNode[]) {
    this.nodes = nodes;
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    this.#next = edges(nodes);
    for (const [from, ends] of this.#next)
      for (const to of ends) this.#previous.set(to, [...(this.#previous.get(to) ?? []), from]);
  }

  node(id: unknown): FlowNode | undefined {
    return this.#byId.get(String(id));
  }

  /** A node in a sentence. */
  described(node: FlowNode): string {
    return node["name"] ? `the ${node.type} node "${this.label(node)}"` : `a ${this.label(node)} node`;
  }

  /** Whether Node-RED starts a node: neither it nor its tab is disabled. */
  runs({ d, z }: FlowNode): boolean {
    const tab = this.node(z);
    return d !== true && tab?.["disabled"] !== true;
  }

  /**
   * All nodes from which messages reach a node, without itself.
   * @param passes whether the search goes on beyond a node
   */
  before(node: FlowNode, passes: (node: FlowNode) => boolean = () => true): readonly FlowNode[] {
    return this.#walk(node, this.#previous, passes);
  }

  /** All nodes that messages reach from a node, without itself. */
  after(node: FlowNode, passes: (node: FlowNode) => boolean = () => true): readonly FlowNode[] {
    return this.#walk(node, this.#next, passes);
  }

  #walk(from: FlowNode, edges: ReadonlyMap<string, readonly string[]>, passes: (node: FlowNode) => boolean) {
    const seen = new Set([from.id]);
    const found: FlowNode[] = [];
    const open = [from];
    for (let node = open.pop(); node; node = open.pop())
      for (const id of edges.get(node.id) ?? []) {
        const next = this.#byId.get(id);
        if (!next || seen.has(id) || !this.runs(next)) continue;
        seen.add(id);
        found.push(next);
        if (passes(next)) open.push(next);
      }
    return found;
  }
}

/** Wires, links, calls of links and their returns, and the inside of subflows. */
function edges(nodes: readonly FlowNode[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  const add = (from: string, ends: readonly string[]) => next.set(from, [...(next.get(from) ?? []), ...ends]);
  const calls = nodes.filter(({ type }) => type === "link call");
  const subflows = new Map(nodes.filter(({ type }) => type === "subflow").map((node) => [`subflow:${node.id}`, node]));
  const links = nodes.flatMap(({ id, type }) => (type === "link in" ? [id] : []));
  for (const node of nodes) {
    const { id, type, mode } = node;
    const definition = subflows.get(type);
    if (type === "link call") add(id, node["linkType"] === "dynamic" ? links : texts(node["links"]));
    else if (type === "link out") add(id, mode === "return" ? calls.flatMap(wiresOf) : texts(node["links"]));
    else if (definition) {
      add(id, portsOf(definition["in"]));
      for (const inner of portsOf(definition["out"])) add(inner, wiresOf(node));
    } else if (type !== "subflow") add(id, wiresOf(node));
  }
  return next;
}

function wiresOf({ wires }: FlowNode): string[] {
  return Array.isArray(wires) ? wires.flatMap(texts) : [];
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
}

/** The nodes at the inputs or outputs of a subflow. */
function portsOf(ports: unknown): string[] {
  const ends = list(ports).flatMap(({ wires }) => list(wires));
  return texts(ends.map(({ id }) => id));
}
