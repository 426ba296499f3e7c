import { saveLists } from "../inputs/list-input";
import { showRequest } from "../panels/server/request-row";
import { words } from "../words";
import { prepare, takeOnlyTenant } from "./dialog";

/** The definition that all nodes of the palette share; a dialog may replace its members. `this` is the node. */
export const paletteEntry = {
  category: "telephony",
  color: "#69aea6",
  inputs: 1,
  outputs: 1,
  align: "left",
  paletteLabel(this: EditorNode): string {
    return words(this, "type");
  },
  label(this: EditorNode): string {
    return String(this["name"] || words(this, "type"));
  },
  labelStyle(this: EditorNode): string {
    return this["name"] ? "node_label_italic" : "";
  },
  outputLabels(this: EditorNode): string {
    return words(this, "output");
  },
  onadd(this: EditorNode): void {
    takeOnlyTenant(this);
  },
  oneditprepare(this: EditorNode): void {
    prepare(this);
    showRequest(this);
  },
  oneditsave(this: EditorNode): void {
    saveLists(this);
  },
};
