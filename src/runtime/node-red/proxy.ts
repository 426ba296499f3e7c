import type { NodeAPI } from "node-red";
import { getProxyForUrl } from "proxy-from-env";
import { type Address, notSent, type ProxyServer } from "../../client";

/** The part of core's proxy node that is used here. */
interface ProxyNode {
  readonly type: string;
  readonly url?: string;
  readonly noproxy?: readonly string[];
  readonly credentials?: { readonly username?: string; readonly password?: string };
}

/**
 * The proxy for a tenant: that of the selected `http proxy` node, else of the environment; none for loopback addresses.
 * @throws TenantError ERR_CONFIG for a proxy that cannot be used
 */
export function proxyFor(RED: NodeAPI, id: string, address: Address): ProxyServer | undefined {
  if (address.loopback) return undefined;
  if (id === "") return read(getProxyForUrl(address.origin), undefined);
  const node = RED.nodes.getNode(id) as unknown as ProxyNode | null;
  if (node?.type !== "http proxy") throw notSent("ERR_CONFIG", "config", { key: "config.proxyNode", field: "proxy" });
  if (node.noproxy?.some((exempt) => matches(address.hostname, exempt))) return undefined;
  return read(node.url ?? "", node.credentials);
}

function read(text: string, credentials: ProxyNode["credentials"]): ProxyServer | undefined {
  if (text === "") return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw notSent("ERR_CONFIG", "config", { key: "config.proxyAddress", field: "proxy" });
  const user = credentials?.username || decoded(url.username);
  const password = credentials?.password || decoded(url.password);
  url.username = "";
  url.password = "";
  if (!user) return { url };
  return { url, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notSent("ERR_CONFIG", "config", { key: "config.proxyUser", field: "proxy" });
  }
}

/** Whether an entry of `noproxy` matches, as in core: the host itself, or a domain with its subdomains. */
function matches(hostname: string, exempt: string): boolean {
  const domain = exempt
    .trim()
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/^\*?\.?/, "");
  return domain !== "" && (hostname === domain || hostname.endsWith(`.${domain}`));
}
