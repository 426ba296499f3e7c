import type { ConnectionOptions } from "node:tls";
import type { NodeAPI } from "node-red";
import { notSent, readTls } from "../../client";

/** The part of core's TLS node that is used here. */
interface TlsNode {
  /** Whether no file is missing: otherwise the node connects without a certificate. */
  readonly valid?: boolean;
  addTLSOptions?(options: ConnectionOptions): void;
}

/**
 * The options of the selected `tls-config` node, read once for all connections.
 * @throws TenantError ERR_CONFIG for a node, or a certificate, that cannot be used
 */
export function tlsFor(RED: NodeAPI, id: string): ConnectionOptions | undefined {
  if (id === "") return undefined;
  const node = RED.nodes.getNode(id) as unknown as TlsNode | null;
  if (!node?.addTLSOptions) throw notSent("ERR_CONFIG", "config", { key: "config.tlsNode", field: "tls" });
  const options: ConnectionOptions = {};
  node.addTLSOptions(options);
  const isHalf = !options.cert !== !options.key;
  if (isHalf || node.valid === false)
    throw notSent("ERR_CONFIG", "config", { key: "config.tlsIncomplete", field: "tls" });
  return readTls(options);
}
