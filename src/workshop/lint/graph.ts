import { englishLabels } from "../../fields/english";
import type { NodeDeclaration } from "../../runtime/register";
import { type FlowNode, list } from "./flow-node";

export const TENANT = "telephony-tenant";

/** The ways of messages between the nodes of one or more flow files. */
export class Graph {
  readonly nodes: readonly FlowNode[];
  readonly #byId: ReadonlyMap<string, FlowNode>;
  readonly #next: ReadonlyMap<string, readonly Edge[]>;
  readonly #previous = new Map<string, Edge[]>();
  /** What the canvas calls a node. */
  readonly label = englishLabels((id) => this.node(id));

  readonly #declarations: ReadonlyMap<string, NodeDeclaration>;

  constructor(nodes: readonly FlowNode[], declarations: readonly NodeDeclaration[]) {
    this.nodes = nodes;
    this.#declarations = new Map(declarations.map((each) => [each.type, each]));
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    this.#next = edges(nodes);
    for (const [from, ends] of this.#next)
      for (const { to, site, enters } of ends) {
        const back: Edge = { to: from, ...(site !== undefined && { site, enters: !enters }) };
        this.#previous.set(to, [...(this.#previous.get(to) ?? []), back]);
      }
  }

  node(id: unknown): FlowNode | undefined {
    return this.#byId.get(String(id));
  }

  /** Of a node of this package. */
  declaration({ type }: FlowNode): NodeDeclaration | undefined {
    return this.#declarations.get(type);
  }

  /** The tenant of a node, if it is in one of the files. */
  tenantOf(node: FlowNode): FlowNode | undefined {
    const found = this.node(node["tenant"]);
    return found?.type === TENANT ? found : undefined;
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

  /** What enters a subflow, or is sent by a link call, comes out where it went in: the sites are those on the way, innermost last. */
  #walk(from: FlowNode, edges: ReadonlyMap<string, readonly Edge[]>, passes: (node: FlowNode) => boolean) {
    const seen = new Set([from.id]);
    const found = new Set<FlowNode>();
    const open = [{ id: from.id, sites: [] as readonly string[] }];
    for (let at = open.pop(); at; at = open.pop())
      for (const { to, site, enters } of edges.get(at.id) ?? []) {
        const { sites } = at;
        const next = this.#byId.get(to);
        const last = sites.at(-1) ?? site;
        if (!next || !this.runs(next) || (site !== undefined && (enters ? sites.includes(site) : last !== site)))
          continue;
        const inside = site === undefined ? sites : enters ? [...sites, site] : sites.slice(0, -1);
        const key = [to, ...inside].join(" ");
        if (to === from.id || seen.has(key)) continue;
        seen.add(key);
        found.add(next);
        if (passes(next)) open.push({ id: to, sites: inside });
      }
    return [...found];
  }
}

/** A way from one node to another. One that enters or leaves a subflow or a link call has its site: the node that stands for it. */
interface Edge {
  readonly to: string;
  readonly site?: string;
  readonly enters?: boolean;
}

/** Wires, links, calls of links and their returns, and the inside of subflows. */
function edges(nodes: readonly FlowNode[]): Map<string, Edge[]> {
  const next = new Map<string, Edge[]>();
  const add = (from: string, ends: readonly string[], way: Omit<Edge, "to"> = {}) =>
    next.set(from, [...(next.get(from) ?? []), ...ends.map((to) => ({ to, ...way }))]);
  const calls = nodes.filter(({ type }) => type === "link call");
  const subflows = new Map(nodes.filter(({ type }) => type === "subflow").map((node) => [`subflow:${node.id}`, node]));
  const links = nodes.flatMap(({ id, type }) => (type === "link in" ? [id] : []));
  for (const node of nodes) {
    const { id, type, mode } = node;
    const definition = subflows.get(type);
    const [enters, leaves] = [true, false].map((enters) => ({ site: id, enters }));
    if (type === "link call") add(id, node["linkType"] === "dynamic" ? links : texts(node["links"]), enters);
    else if (type === "link out" && mode === "return")
      for (const call of calls) add(id, wiresOf(call), { site: call.id, enters: false });
    else if (type === "link out") add(id, texts(node["links"]));
    else if (definition) {
      add(id, portsOf(definition["in"]), enters);
      for (const inner of portsOf(definition["out"])) add(inner, wiresOf(node), leaves);
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
