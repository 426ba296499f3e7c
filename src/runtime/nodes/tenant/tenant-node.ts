import type { Node, NodeAPI } from "node-red";
import type { TenantError } from "../../../client";
import type { Config } from "../../../fields";
import { flows } from "../../delivery/flow-lifecycle";
import { hostOf } from "../../node-red/host";
import { logOnce } from "../../node-red/tell-once";
import { warnOfHostZone } from "../../schedules/notices";
import type { Tenant } from "../../tenants/chosen-tenant";
import { closeSandbox } from "../../tenants/sandboxes";
import { openTenant, stopTenant, type TenantConfig } from "../../tenants/tenants";

const TENANT = { type: "telephony-tenant" };

export interface TenantNode extends Node<{ token: string; redisUrl: string }> {
  tenant?: Tenant;
}

/** The config node: settings, and which client and sandbox they mean. */
export function tenantNode(RED: NodeAPI, node: TenantNode, config: Config): void {
  const tenant = openTenant(RED, config as unknown as TenantConfig, hostOf(RED, node, TENANT), node.credentials);
  node.tenant = tenant;
  const log = (problem: TenantError | undefined) => {
    // The platform's is the same object for every tenant and deploy, so it is logged once.
    if (problem) logOnce(RED, node, TENANT, problem, problem);
  };
  log(tenant.problem);
  if (tenant.settings?.timezone === "") warnOfHostZone(RED);
  void tenant.client?.opened.then(log);
  node.on("close", (removed: boolean, done: () => void) => {
    // Another tenant may have its port from now on.
    if (removed) closeSandbox(node.id).then(done, done);
    else if (flows.stopping) stopTenant(node.id).then(done, done);
    else done();
  });
}
