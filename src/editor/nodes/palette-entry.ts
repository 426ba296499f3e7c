import { nodeLabel } from "../../fields/node-label";
import { reset } from "../inputs/input";
import { saveLists } from "../inputs/list-input";
import { keyOf, nodeText, ownText } from "../texts";
import { notAsked } from "../validate/choices";
import { prepare, takeOnlyTenant } from "./dialog";

/** The part that the definition of a tenant shares with those of the palette. `this` is the node. */
export const anyEntry = {
  /** Names the type: in the palette, a label has two lines of a dozen characters. */
  paletteLabel(this: EditorNode): string {
    return nodeText(this, "type");
  },
  label(this: EditorNode): string {
    return nodeLabel(this, (key, params) => ownText(this, key, params));
  },
  labelStyle(this: EditorNode): string {
    return this["name"] ? "node_label_italic" : "";
  },
  oneditsave(this: EditorNode): void {
    saveLists(this);
    for (const property of notAsked(this)) reset(this, property);
  },
};

/** The definition that all nodes of the palette share. */
export const paletteEntry = {
  ...anyEntry,
  category: "telephony",
  color: "#69aea6",
  inputs: 1,
  outputs: 1,
  align: "left",
  /** Shown by Node-RED 5 when the mouse rests on the category. */
  categoryDescription: keyOf("palette.description.telephony"),
  outputLabels(this: EditorNode, index: number): string {
    const { defaults, outputNames } = this._def;
    const name = outputNames?.[index] ?? (this["output"] || defaults["output"]?.value);
    return nodeText(this, name ? `output.${name}` : "output");
  },
  onadd(this: EditorNode): void {
    takeOnlyTenant(this);
  },
  ...prepared(prepare),
};

export function prepared(prepareNode: (node: EditorNode) => void) {
  return {
    oneditprepare(this: EditorNode): void {
      prepareNode(this);
    },
  };
}
