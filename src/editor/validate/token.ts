import { isOpen } from "../inputs/pair";
import { shared } from "../words";

/** How Node-RED shows a saved password. */
export const SAVED = "__PWRD__";

/**
 * @param shown what the dialog has; nothing where it is not open
 * @returns true, or that a tenant whose address is asked has no token
 */
export function validToken(node: EditorNode, shown: unknown): true | string {
  if (modeOf(node) === "sandbox") return true;
  return String(shown ?? held(node)).trim() === "" ? shared("valid.token") : true;
}

/** A tenant's mode, as its dialog has it where that is open. */
export function modeOf(node: EditorNode): unknown {
  const shown = $("#node-config-input-mode");
  return isOpen(node) && shown.length > 0 ? shown.val() : node["mode"];
}

/** What the editor knows of a token: it learns of a deployed one when the dialog opens, and forgets it with a deploy. */
function held(node: EditorNode): string {
  const { token, has_token } = (node["credentials"] ?? {}) as { token?: string; has_token?: boolean };
  if (token !== undefined) return token;
  if (has_token !== undefined) return has_token ? SAVED : "";
  return RED.nodes.originalFlow()?.some(({ id }) => id === node.id) ? SAVED : "";
}
