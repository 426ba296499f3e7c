import { whenLoaded } from "../load";

/** Ends a dialog with a button that shows the node's request. */
export function showRequest(node: EditorNode): void {
  const row = $("<div>", { class: "form-row telephony-request" }).appendTo($("#node-input-name").closest("form"));
  whenLoaded(row, ({ requestRow }) => requestRow(node, row));
}
