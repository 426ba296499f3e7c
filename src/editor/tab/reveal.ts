import { shared } from "../words";

/** Selects a node on the canvas, on whichever tab or subflow it is. */
export function revealNode(id: string): void {
  // A node of a subflow's instance is named `<instance>-<node in the subflow>`; ids of hand-written flows have dashes, too.
  const parts = id.split("-");
  const node = parts.map((_, index) => RED.nodes.node(parts.slice(index).join("-"))).find(Boolean);
  if (!node) {
    RED.notify(shared("tab.noNode"), "warning");
    return;
  }
  RED.view.reveal(node.id);
  RED.view.select({ nodes: [node] });
}
