/** The node of an id; of one in an instance of a subflow, the node in the subflow. */
export function nodeOf(id: string): EditorNode | undefined {
  // It is named `<instance>-<node in the subflow>`; ids of hand-written flows have dashes, too.
  const parts = id.split("-");
  return parts.map((_, index) => RED.nodes.node(parts.slice(index).join("-"))).find(Boolean) ?? undefined;
}

/** The label of a node on the canvas; without one, what is given instead. */
export function labelIn(id: string, otherwise: string): string {
  const node = nodeOf(id);
  return node ? RED.utils.getNodeLabel(node) : otherwise;
}

/** Returns where a tenant of a subflow runs, by the labels of the tab and of the instances around it. */
export function pathLabel(path: string): string {
  const labels = path.split("/").map((id) => labelIn(id, RED.nodes.workspace(id)?.label ?? id));
  return labels.join(" / ");
}
