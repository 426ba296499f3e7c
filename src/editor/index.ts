import { closeButton, commandButton } from "./nodes/buttons";
import { gateEntry } from "./nodes/gate";
import { paletteEntry } from "./nodes/palette-entry";
import { ownText, translate } from "./texts";

export { saveLists } from "./inputs/list-input";
export { prepare } from "./nodes/dialog";
export { prepareTenant } from "./nodes/tenant";
export { prepareTransfer, saveTransfer } from "./nodes/transfer";
export { prepareWebhook } from "./nodes/webhook";
export { nodeText } from "./texts";
export { validCredential } from "./validate/access";
export { checked } from "./validate/valid";

/** What the definitions of a kind share. */
export const entries = {
  action: paletteEntry,
  escalation: paletteEntry,
  webhook: { ...paletteEntry, inputs: 0 },
  gate: { ...gateEntry, button: closeButton },
  trigger: { ...gateEntry, inputs: 0 },
  control: { ...paletteEntry, button: commandButton },
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
