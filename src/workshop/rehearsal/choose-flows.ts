import { walk } from "../../json/walk";
import { type FlowNode, observes, runs } from "../lint/flow-node";
import { CannotRehearse } from "./world";

/** Nodes that receive what happens to others, in a tab, a group, or a list. */
const OBSERVERS: readonly unknown[] = ["catch", "complete", "status"];
/** Has variables for all flows, whether or not a node names it. */
const GLOBAL = "global-config";
const OPEN_CALL =
  "A Link Call node takes its target from the message: all Link In nodes are rehearsed, and what they reach.";

/**
 * Chooses what is rehearsed: tabs, what their messages reach in others, and what these need.
 * @param tabs ids or names; none: all flows
 * @throws CannotRehearse if no tab, or several, are meant
 */
export function chooseFlows(flows: readonly FlowNode[], tabs: readonly string[] = []) {
  if (tabs.length === 0) return { flows, notes: [] };
  const byId = new Map<unknown, FlowNode>(flows.map((node) => [node.id, node]));
  const find = (id: unknown) => byId.get(id);
  const homes: unknown[] = tabs.map((tab) => tabOf(flows, tab).id);
  const observers = flows.filter((node) => OBSERVERS.includes(node.type) && runs(node, find));
  const linksIn = flows.filter((node) => node.type === "link in" && runs(node, find));
  const chosen = new Set(flows.filter(({ id, type, z }) => homes.includes(id) || homes.includes(z) || type === GLOBAL));
  const notes = new Set<string>();
  const add = (ids: readonly unknown[]) => {
    for (const node of ids.map((id) => byId.get(id))) if (node) chosen.add(node);
  };
  // What is added is visited, too.
  for (const node of chosen) {
    const { id, type, z, g, wires, links, mode, linkType } = node;
    add([z, g]);
    if (!runs(node, find)) continue;
    const isOpenCall = type === "link call" && linkType === "dynamic";
    if (isOpenCall) notes.add(OPEN_CALL);
    // Either end of a link may name the other.
    const linked = (each: FlowNode) => isOpenCall || (type === "link out" && [each["links"]].flat().includes(id));
    if (type !== "link in" && mode !== "return")
      add([[links].flat(), linksIn.filter(linked).map((each) => each.id)].flat());
    add([type.replace(/^subflow:/, ""), ...[wires].flat(3)]);
    if (type === "subflow") add(flows.flatMap((each) => (each["z"] === id ? [each.id] : [])));
    walk(node, (value) => {
      const named = typeof value === "string" ? byId.get(value) : undefined;
      if (named && isConfig(named)) chosen.add(named);
      return true;
    });
    for (const each of observers) if (observes(each, node, find)) chosen.add(each);
  }
  return { flows: flows.filter((node) => chosen.has(node)), notes: [...notes] };
}

function tabOf(flows: readonly FlowNode[], given: string): FlowNode {
  const tabs = flows.filter(({ type }) => type === "tab");
  const byId = tabs.find(({ id }) => id === given);
  const named = tabs.filter(({ label }) => label === given);
  const [found] = byId ? [byId] : named;
  if (!found) throw new CannotRehearse(`No flow has the id or the name "${given}": correct it.`);
  if (byId || named.length === 1) return found;
  const ids = named.map(({ id }) => id).join(", ");
  throw new CannotRehearse(`${named.length} flows are named "${given}": use the id of one of them (${ids}).`);
}

function isConfig(node: FlowNode): boolean {
  return !["tab", "subflow", "group"].includes(node.type) && !("x" in node && "y" in node);
}
