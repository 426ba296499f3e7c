/** A node of a flow file, or what it has beside nodes. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

type Find = (id: unknown) => FlowNode | undefined;

/** Whether Node-RED starts a node: neither it nor its tab is disabled. */
export function runs({ d, z }: FlowNode, find: Find): boolean {
  return d !== true && find(z)?.["disabled"] !== true;
}

/** Whether a Catch, Complete or Status node receives what happens to a node of its tab: one of its list or group, or any. */
export function observes({ z, g, scope }: FlowNode, node: FlowNode, find: Find): boolean {
  if (node["z"] !== z || ["group", "comment"].includes(node.type)) return false;
  if (Array.isArray(scope)) return scope.includes(node.id);
  const groups = new Set([node["g"]]);
  for (const group of groups) groups.add(find(group)?.["g"]);
  return scope !== "group" || g === undefined || groups.has(g);
}

/** The entries of a list, as objects; of anything else, none. */
export function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map((each) => Object(each)) : [];
}
