import { TenantError } from "../../tenant/errors";
import { readToken } from "../../tenant/settings";
import { current } from "../inputs/pair";
import { shared } from "../words";
import { refusal } from "./refusal";

/** How Node-RED shows a saved password. */
export const SAVED = "__PWRD__";

/**
 * Checks the access token of a tenant that is no sandbox.
 * @param shown what the dialog has, `undefined` where it is not open
 */
export function validToken(node: EditorNode, shown: unknown): true | string {
  return tokenProblem(node, shown) ?? true;
}

export function tokenProblem(node: EditorNode, shown: unknown): string | undefined {
  if (current(node, "mode") === "sandbox") return undefined;
  const token = String(shown ?? knownToken(node)).trim();
  if (token === "") return shared("valid.token");
  if (/^\$\{[^}]+\}$/.test(token)) return undefined;
  const error = refusal(TenantError, () => readToken(token));
  return error && shared(`errors.${error.key}`, error.params);
}

/**
 * What the editor knows of a token. Node-RED reports a deployed token when the dialog opens, and discards it
 * at the next deploy.
 */
function knownToken(node: EditorNode): string {
  const { token, has_token } = (node["credentials"] ?? {}) as { token?: string; has_token?: boolean };
  if (token !== undefined) return token;
  if (has_token !== undefined) return has_token ? SAVED : "";
  return RED.nodes.originalFlow()?.some(({ id }) => id === node.id) ? SAVED : "";
}
