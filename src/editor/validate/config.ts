import { current } from "../inputs/pair";
import { translate } from "../texts";
import { isIdle } from "./gate";

/** A gate or a trigger needs a tenant to read its hours there, and uses a chosen one if it has no zone of its own. */
function needsTenant(node: EditorNode, isChosen: boolean): boolean {
  if (!/^business-hour-(gate|trigger)$/.test(node.type)) return true;
  return isIdle(node, "schedule") || (isChosen && String(current(node, "timezone") ?? "") === "");
}

/** What is wrong with the choice of a tenant. */
export function tenantProblem(node: EditorNode, value: unknown): string | undefined {
  const found = isChosen(value) ? RED.nodes.node(String(value)) : null;
  if (!needsTenant(node, isChosen(value))) return undefined;
  if (!found || found["d"]) return translate("valid.tenant");
  return found["valid"] === false ? translate("errors.ERR_CONFIG") : undefined;
}

/** Sentences about configuration nodes of Node-RED's own, which a tenant may name. */
const BAD = { tls: "tlsIncomplete", proxy: "proxyAddress" } as const;

/** What is wrong with the choice of a tenant's TLS settings or proxy. */
export function configProblem(property: string, value: unknown): string | undefined {
  if (!isChosen(value) || (property !== "tls" && property !== "proxy")) return undefined;
  const found = RED.nodes.node(String(value));
  if (!found || found["d"]) return translate(`errors.config.${property}Node`);
  return found["valid"] === false ? translate(`errors.config.${BAD[property]}`) : undefined;
}

function isChosen(value: unknown): boolean {
  return !["", "_ADD_", "undefined", "null"].includes(String(value));
}
