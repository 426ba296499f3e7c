import { keepOwnStatus } from "./inputs/own-status";
import { commandButton, gateButton, listButton } from "./nodes/buttons";
import { prepareCallList } from "./nodes/call-list";
import { prepareGate } from "./nodes/gate";
import { anyEntry, paletteEntry, prepared } from "./nodes/palette-entry";
import { prepareTenant } from "./nodes/tenant";
import { prepareWebhook } from "./nodes/webhook";
import { ownText, translate } from "./texts";
import { credentials } from "./validate/access";

export { checked } from "./validate/valid";

const gateEntry = { ...paletteEntry, ...prepared(prepareGate) };

/** Members of the definitions of nodes that no declaration has, by kind. `this` is the node. */
export const entries = {
  action: paletteEntry,
  list: { ...paletteEntry, ...prepared(prepareCallList), button: listButton },
  escalation: paletteEntry,
  gate: { ...gateEntry, button: gateButton },
  trigger: { ...gateEntry, inputs: 0 },
  control: { ...paletteEntry, button: commandButton },
  webhook: { ...paletteEntry, inputs: 0, ...credentials("secret"), ...prepared(prepareWebhook) },
  tenant: { ...anyEntry, category: "config", ...credentials("token", "redisUrl"), ...prepared(prepareTenant) },
};

RED.events.on("nodes:add", (node) => {
  if (node.type === "telephony-webhook") keepOwnStatus(node);
});

// The palette's search finds a node by its category and its keywords, too: Node-RED searches the type and this attribute,
// which it sets before this event.
RED.events.on("registry:node-type-added", (type) => {
  const keywords = ownText({ type }, "keywords");
  if (keywords === undefined) return;
  const entry = $(`#red-ui-palette [data-palette-type="${type}"]`);
  const label = entry.attr("data-palette-label") ?? "";
  const category = ["telephony", translate("palette.label.telephony")];
  entry.attr("data-palette-label", [label, ...category, keywords].join(", "));
});
