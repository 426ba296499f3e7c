import { unpacked } from "../build/packed-rows";
import { SHARED_MARK, withPieces } from "../build/shared-texts";
import { NAMESPACE, SHARED, shared } from "./words";

/** Ends a help text: by it our styles know our own help. */
const OURS = '\n<span class="telephony-help"></span>\n';

/**
 * Fills in the marks for what the dialogs and the help of our nodes have in common, as soon as a node is there. The
 * palette has its tooltip then, made of the help's first paragraph, which therefore has no marks. Where somebody disables
 * the tenant's nodes in the palette, nobody fills in anything; no dialog works then.
 */
export function fillInSharedTexts(): void {
  RED.events.on("registry:node-type-added", fillIn);
  // Nodes that are installed while the editor is open come in any order.
  $("[data-help-name]").each((_, { dataset }) => fillIn(String(dataset["helpName"])));
}

function fillIn(type: string): void {
  if (RED.nodes.getType(type)?.set?.module !== NAMESPACE) return;
  $(`script[data-template-name="${type}"]`).text((_, dialog) => unpacked(dialog).split(SHARED_MARK).join(SHARED));
  $(`script[data-help-name="${type}"]`).text((_, help) => withPieces(help, shared).replace(OURS, "") + OURS);
}
