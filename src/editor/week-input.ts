import { ownList } from "./own-list";
import { weekEditor } from "./week-editor";

/** Makes the input of a property that may hold a week, and the week's editor below it. */
export function prepareWeek(node: EditorNode, property: string): void {
  ownList(node, property, weekEditor);
}
