import type { Node, NodeAPI, NodeDef } from "node-red";
import { serveGatePreview } from "./gate-preview";
import { isStopping, watchFlows } from "./hand-over";
import { servePreview } from "./request-preview";
import { serveSandboxView } from "./sandbox-view";
import { serveTenantRoutes } from "./tenant-routes";
import { closeTenant, openTenant, stopTenant, type Tenant, type TenantConfig } from "./tenants";
import { sentence } from "./texts";
import { keepUnfinished } from "./unfinished";

interface TenantNode extends Node<{ token: string }> {
  tenant?: Tenant;
}

/** The config node: settings, and which client and sandbox they mean. */
export function tenantNode(RED: NodeAPI): void {
  watchFlows(RED);
  keepUnfinished(RED);
  serveSandboxView(RED);
  serveTenantRoutes(RED);
  servePreview(RED);
  serveGatePreview(RED);
  RED.nodes.registerType(
    "telephony-tenant",
    function (this: TenantNode, config: NodeDef) {
      RED.nodes.createNode(this, config);
      const { token } = this.credentials ?? {};
      this.tenant = openTenant(RED, config as unknown as TenantConfig, token);
      if (this.tenant.problem) this.error(sentence(RED, this.tenant.problem));
      this.on("close", (removed: boolean, done: () => void) => {
        if (removed) closeTenant(this.id).then(done, done);
        else if (isStopping()) stopTenant(this.id).then(done, done);
        else done();
      });
    },
    { credentials: { token: { type: "password" } } },
  );
}
