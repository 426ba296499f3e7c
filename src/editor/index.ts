import { closeButton, commandButton } from "./nodes/buttons";
import { gateEntry } from "./nodes/gate";
import { anyEntry, paletteEntry } from "./nodes/palette-entry";
import { prepareTenant } from "./nodes/tenant";
import { prepareWebhook } from "./nodes/webhook";
import { ownText, translate } from "./texts";
import { credentials } from "./validate/access";

export { checked } from "./validate/valid";

/** Members of the definitions of nodes that no declaration has, by kind. `this` is the node. */
export const entries = {
  action: paletteEntry,
  escalation: paletteEntry,
  gate: { ...gateEntry, button: closeButton },
  trigger: { ...gateEntry, inputs: 0 },
  control: { ...paletteEntry, button: commandButton },
  webhook: {
    ...paletteEntry,
    inputs: 0,
    ...credentials("secret"),
    oneditprepare(this: EditorNode): void {
      prepareWebhook(this);
    },
  },
  tenant: {
    ...anyEntry,
    category: "config",
    ...credentials("token", "redisUrl"),
    oneditprepare(this: EditorNode): void {
      prepareTenant(this);
    },
  },
};

extendPaletteSearch();

/**
 * Makes the palette's search find a node by its category and its keywords. Node-RED searches the type and this attribute,
 * which it sets before this event.
 */
function extendPaletteSearch(): void {
  RED.events.on("registry:node-type-added", (type) => {
    const keywords = ownText({ type }, "keywords");
    if (keywords === undefined) return;
    const entry = $(`#red-ui-palette [data-palette-type="${type}"]`);
    const label = entry.attr("data-palette-label") ?? "";
    const category = ["telephony", translate("palette.label.telephony")];
    entry.attr("data-palette-label", [label, ...category, keywords].join(", "));
  });
}
