import { type FoundStyle, styleText } from "../panels/server/found-style";
import { shared, words } from "../words";

const SELECT = "#node-config-input-partyFields";
const HINT = "#telephony-hint-partyFields";

/** Explains the chosen party format. The automatic one also says what it has found out, once the server has told it. */
export function preparePartyFormat(node: EditorNode): void {
  $(SELECT).on("change", () => showPartyFormat(node));
  showPartyFormat(node);
}

/** @param found of the deployed tenant; absent if its format is fixed */
export function showFoundStyle(node: EditorNode, found: FoundStyle | undefined): void {
  $(HINT).data("found", found ?? null);
  showPartyFormat(node);
}

function showPartyFormat(node: EditorNode): void {
  const format = String($(SELECT).val());
  const found = format === "auto" ? ($(HINT).data("found") as FoundStyle | null) : null;
  const result = found && (styleText(found) || shared("style.untried"));
  $(HINT).text([words(node, `hint.partyFields.${format}`), ...(result ? [result] : [])].join(" "));
}
