import { ownWords } from "../words";

/**
 * Lets the palette's search find a node by its full name and its keywords: their label there is short. Node-RED looks in
 * the type and in this attribute, which it sets when a type is added, before this is called.
 */
export function extendPaletteSearch(): void {
  RED.events.on("registry:node-type-added", (type) => {
    const keywords = ownWords({ type }, "keywords");
    if (keywords === undefined) return;
    const entry = $(`#red-ui-palette [data-palette-type="${type}"]`);
    const label = entry.attr("data-palette-label") ?? "";
    entry.attr("data-palette-label", [label, ownWords({ type }, "type"), keywords].join(", "));
  });
}
