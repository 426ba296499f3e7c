import { fixedValue } from "../inputs/label";
import { saveLists } from "../inputs/list-input";
import { keyOf, nodeText } from "../texts";
import { prepare, takeOnlyTenant } from "./dialog";

/** The canvas label for a property with a fixed value: the text `story.<property>`. */
function storyOf(node: EditorNode): string | undefined {
  for (const property of Object.keys(node._def.defaults)) {
    const [value, key] = [fixedValue(node, property), `story.${property}`];
    const story = value && nodeText(node, key, { value });
    if (story && story !== key) return story;
  }
  return undefined;
}

/** The definition that all nodes of the palette share; a dialog may replace its members. `this` is the node. */
export const paletteEntry = {
  category: "telephony",
  color: "#69aea6",
  inputs: 1,
  outputs: 1,
  align: "left",
  /** Shown by Node-RED 5 when the mouse rests on the category. */
  categoryDescription: keyOf("palette.description.telephony"),
  /** In the palette, a label has two lines of a dozen characters. */
  paletteLabel(this: EditorNode): string {
    return nodeText(this, "type");
  },
  label(this: EditorNode): string {
    return String(this["name"] || storyOf(this) || nodeText(this, "type"));
  },
  labelStyle(this: EditorNode): string {
    return this["name"] ? "node_label_italic" : "";
  },
  outputLabels(this: EditorNode): string {
    const { output } = this._def.defaults;
    return nodeText(this, output ? `output.${this["output"] || output.value}` : "output");
  },
  onadd(this: EditorNode): void {
    takeOnlyTenant(this);
  },
  oneditprepare(this: EditorNode): void {
    prepare(this);
  },
  oneditsave(this: EditorNode): void {
    saveLists(this);
  },
};
