import { nameNumber } from "../nodes/party";
import { openFolds } from "./folds";
import { rowOf, typedInput, wideInput } from "./input";

/** Makes the inputs of a dialog: those of all properties that the build has put into rows. */
export function prepare(node: EditorNode): void {
  for (const [property, { field }] of Object.entries(node._def.defaults)) {
    const input = $(`#node-input-${property}`);
    if (!field || field.kind === "tenant" || input.length === 0 || input.attr("type") === "hidden") continue;
    if (["option", "seconds", "zone"].includes(field.kind)) fill(node, property, input);
    else if (field.kind === "property") {
      fill(node, property, input);
      wideInput(input, { default: "msg", types: ["msg"] });
    } else typedInput(node, property);
  }
  nameNumber(node, "from");
  nameNumber(node, "to");
  const onceKey = $("#node-input-onceKey");
  onceKey.on("change", () => show(onceKey.val() !== "", "onceFor", "onceScope"));
  openFolds(node);
}

/** A property that a hand-written flow leaves out begins with its default. */
function fill(node: EditorNode, property: string, input: JQuery): void {
  if (node[property] === undefined) input.val(String(node._def.defaults[property]?.value ?? ""));
}

/** Shows or hides the rows of properties. */
export function show(visible: boolean, ...properties: readonly string[]): void {
  for (const property of properties) rowOf($(`#node-input-${property}`)).toggle(visible);
}

/** A node from the palette takes the only tenant there is. */
export function takeOnlyTenant(node: EditorNode): void {
  if (node["tenant"]) return;
  const tenants: EditorNode[] = [];
  RED.nodes.eachConfig((config) => {
    if (config.type === "telephony-tenant" && (!config["z"] || config["z"] === node["z"])) tenants.push(config);
  });
  if (tenants.length === 1 && tenants[0]) node["tenant"] = tenants[0].id;
}
