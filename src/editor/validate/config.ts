import type { Config } from "../../fields";
import { needsTenant } from "../../fields/rules";
import { translate } from "../texts";

export function chosenTenant({ tenant }: Config): EditorNode | undefined {
  return (isChosen(tenant) && RED.nodes.node(String(tenant))) || undefined;
}

export function tenantProblem(node: EditorNode, config: Config): string | undefined {
  const found = chosenTenant(config);
  const tenant = isChosen(config["tenant"]) ? config["tenant"] : "";
  if (!needsTenant(node._def.kind, { ...config, tenant })) return undefined;
  if (!found || found["d"]) return translate("valid.tenant");
  return found["valid"] === false ? translate("errors.ERR_CONFIG") : undefined;
}

/** Sentences about configuration nodes of Node-RED's own, which a tenant may name. */
const BAD = { tls: "tlsIncomplete", proxy: "proxyAddress" } as const;

/** Returns what is wrong with the choice of a tenant's TLS settings or proxy. */
export function configProblem(property: string, value: unknown): string | undefined {
  if (!isChosen(value) || (property !== "tls" && property !== "proxy")) return undefined;
  const found = RED.nodes.node(String(value));
  if (!found || found["d"]) return translate(`errors.config.${property}Node`);
  return found["valid"] === false ? translate(`errors.config.${BAD[property]}`) : undefined;
}

/** Whether a menu of config nodes has one chosen: Node-RED offers a new one as `_ADD_`. */
export function isChosen(value: unknown): boolean {
  return !["", "_ADD_", "undefined", "null"].includes(String(value));
}
