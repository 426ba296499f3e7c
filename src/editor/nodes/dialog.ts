import { openFolds } from "../inputs/folds";
import { show, typedInput, wideInput } from "../inputs/input";
import { nameNumber } from "./call";

/** Prepares the inputs of a dialog: one for each property that has a row. */
export function prepare(node: EditorNode): void {
  for (const [property, { value, setting, field, check }] of Object.entries(node._def.defaults)) {
    const input = $(`#node-input-${property}`);
    if (input.length === 0 || input.attr("type") === "hidden") continue;
    if (field) typedInput(node, property);
    // Node-RED leaves an input empty when a hand-written flow does not have the property.
    else if ((setting || check === "property") && node[property] === undefined) input.val(String(value));
    if (check === "property") wideInput(input, { default: "msg", types: ["msg"] });
  }
  nameNumber(node, "from");
  nameNumber(node, "to");
  const onceKey = $("#node-input-onceKey");
  onceKey.on("change", () => show(onceKey.val() !== "", "onceFor", "onceScope"));
  openFolds(node);
}

/** Gives a node from the palette the only tenant there is. */
export function takeOnlyTenant(node: EditorNode): void {
  if (node["tenant"]) return;
  const tenants: EditorNode[] = [];
  RED.nodes.eachConfig((config) => {
    if (config.type === "telephony-tenant" && (!config["z"] || config["z"] === node["z"])) tenants.push(config);
  });
  if (tenants.length === 1 && tenants[0]) node["tenant"] = tenants[0].id;
}
