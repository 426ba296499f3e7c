import { englishLabels } from "../../fields/english";
import type { NodeDeclaration } from "../../runtime/register";
import { type FlowNode, list, runs } from "./flow-node";

export const TENANT = "telephony-tenant";

/** The ways of messages between the nodes of one or more flow files. */
export class Graph {
  readonly nodes: readonly FlowNode[];
  readonly #byId: ReadonlyMap<string, FlowNode>;
  readonly #next: Ways = new Map();
  readonly #previous: Ways = new Map();
  readonly #sites: readonly Site[];
  readonly #crossings = new Map<Passes, ReadonlyMap<string, readonly string[]>>();
  readonly label = englishLabels((id) => this.node(id));

  readonly #declarations: ReadonlyMap<string, NodeDeclaration>;

  constructor(nodes: readonly FlowNode[], declarations: readonly NodeDeclaration[]) {
    this.nodes = nodes;
    this.#declarations = new Map(declarations.map((each) => [each.type, each]));
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
    this.#sites = sitesOf(nodes);
    for (const [from, to] of waysWithin(nodes, this.#sites)) this.#add(from, to, "within");
    for (const { id } of this.#sites) this.#add(id, behind(id), "across", id);
    const crossed = this.#crossed(ALL);
    for (const { id, entries, exits } of this.#sites) {
      for (const entry of entries) this.#add(id, entry, "in", id);
      // What begins inside a subflow comes out of it, too; a return leads only to calls that can reach it.
      const isCall = this.node(id)?.type === "link call";
      for (const exit of isCall ? (crossed.get(id) ?? []) : exits) this.#add(exit, behind(id), "out", id);
    }
  }

  #add(from: string, to: string, kind: Kind, site = ""): void {
    for (const [ways, at, end] of [
      [this.#next, from, to],
      [this.#previous, to, from],
    ] as const) {
      const all = ways.get(at) ?? [];
      ways.set(at, all);
      all.push({ to: end, kind, site });
    }
  }

  node(id: unknown): FlowNode | undefined {
    return this.#byId.get(String(id));
  }

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

  runs(node: FlowNode): boolean {
    return runs(node, (id) => this.node(id));
  }

  /**
   * Finds all nodes from which messages reach a node, without itself.
   * @param passes whether the search goes on beyond a node
   */
  before(node: FlowNode, passes = ALL): readonly FlowNode[] {
    return this.#walk(node, this.#previous, "in", passes);
  }

  /** Finds all nodes that messages reach from a node, without itself. */
  after(node: FlowNode, passes = ALL): readonly FlowNode[] {
    return this.#walk(node, this.#next, "out", passes);
  }

  /**
   * Follows the wires. A message that enters a subflow or a subroutine comes out where it went in: a way leads out of those that it
   * began in, and then into others, which it passes in one step if it does not end there. So each node is visited twice at most.
   */
  #walk(from: FlowNode, next: Ways, outwards: Kind, passes: Passes): readonly FlowNode[] {
    const crossed = this.#crossed(passes);
    const found = new Set<FlowNode>();
    const seen = new Set([`${from.id} out`]);
    const open = [{ at: from.id, isInside: false }];
    for (let way = open.pop(); way; way = open.pop())
      for (const { to, kind, site } of next.get(way.at) ?? []) {
        const isInside = way.isInside || (kind !== outwards && (kind === "in" || kind === "out"));
        const isClosed = kind === "across" ? !crossed.has(site) : kind === outwards && way.isInside;
        const key = `${to} ${isInside ? "in" : "out"}`;
        const node = this.#byId.get(to);
        if (isClosed || seen.has(key) || !this.#runsAt(to)) continue;
        seen.add(key);
        if (node && node.type !== "subflow" && to !== from.id) found.add(node);
        if (!node || passes(node)) open.push({ at: to, isInside });
      }
    return [...found];
  }

  /** The sites whose subflow or subroutine leads back to them, each with the ends of it that are reached. */
  #crossed(passes: Passes): ReadonlyMap<string, readonly string[]> {
    const known = this.#crossings.get(passes);
    if (known) return known;
    const crossed = new Map<string, readonly string[]>();
    for (let [before, count] = [-1, 0]; count !== before; ) {
      [before, count] = [count, 0];
      for (const { id, entries, exits } of this.#sites) {
        const reached = this.#within(entries, crossed, passes);
        const ends = exits.filter((exit) => reached.has(exit));
        if (ends.length > 0) crossed.set(id, ends);
        count += ends.length;
      }
    }
    this.#crossings.set(passes, crossed);
    return crossed;
  }

  /** Returns what is reached on one level: inside no other subflow or subroutine. */
  #within(entries: readonly string[], crossed: ReadonlyMap<string, unknown>, passes: Passes): ReadonlySet<string> {
    const reached = new Set(entries);
    for (const at of reached) {
      const node = this.#byId.get(at);
      const ways = this.#runsAt(at) && (!node || passes(node)) ? this.#next.get(at) : undefined;
      for (const { to, kind, site } of ways ?? [])
        if (kind === "within" || (kind === "across" && crossed.has(site))) reached.add(to);
    }
    return reached;
  }

  /** Whether Node-RED starts the node at a place. */
  #runsAt(place: string): boolean {
    const node = this.#byId.get(place) ?? this.#byId.get(place.slice(0, -1));
    return node !== undefined && this.runs(node);
  }
}

type Passes = (node: FlowNode) => boolean;
const ALL: Passes = () => true;

/** Within a flow; into a subflow or a subroutine; out of it; or across it in one step. */
type Kind = "within" | "in" | "out" | "across";

/** A way from one place to another. The site is the node that stands for a subflow or a subroutine; else empty. */
interface Way {
  readonly to: string;
  readonly kind: Kind;
  readonly site: string;
}
type Ways = Map<string, Way[]>;

/** A node that stands for a subflow or a subroutine. Messages leave it at a place of its own: `behind(id)`. */
interface Site {
  readonly id: string;
  readonly entries: readonly string[];
  readonly exits: readonly string[];
}

function behind(id: string): string {
  return `${id}>`;
}

function sitesOf(nodes: readonly FlowNode[]): Site[] {
  const ofType = (wanted: string) => nodes.filter(({ type }) => type === wanted).map(({ id }) => id);
  const [links, subflows] = [ofType("link in"), new Set(ofType("subflow"))];
  const returns = nodes.flatMap(({ id, type, mode }) => (type === "link out" && mode === "return" ? [id] : []));
  return nodes.flatMap(({ id, type, linkType, links: called }) => {
    if (type === "link call") return [{ id, entries: linkType === "dynamic" ? links : texts(called), exits: returns }];
    const definition = type.replace(/^subflow:/, "");
    const isInstance = definition !== type && subflows.has(definition);
    return isInstance ? [{ id, entries: [definition], exits: [behind(definition)] }] : [];
  });
}

/** Lists wires and links, and ways from the input of a subflow to its nodes, and from those to its output. */
function waysWithin(nodes: readonly FlowNode[], sites: readonly Site[]): [from: string, to: string][] {
  const isSite = new Set(sites.map(({ id }) => id));
  const from = (id: string, ends: readonly string[]) => ends.map((to): [string, string] => [id, to]);
  return nodes.flatMap((node) => {
    const { id, type, mode } = node;
    if (type === "link out") return mode === "return" ? [] : from(id, texts(node["links"]));
    if (type !== "subflow") return from(isSite.has(id) ? behind(id) : id, wiresOf(node));
    const inner = portsOf(node["out"]).map((end) => (isSite.has(end) ? behind(end) : end));
    return [...from(id, portsOf(node["in"])), ...inner.flatMap((end) => from(end, [behind(id)]))];
  });
}

export function wiresOf({ wires }: FlowNode): string[] {
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
