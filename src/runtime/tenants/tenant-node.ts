import type { Node, NodeAPI, NodeDef } from "node-red";
import type { TenantError } from "../../tenant";
import { serveAdmin } from "../admin/routes";
import { isStopping, watchFlows } from "../delivery/mailbox";
import { keepUnfinished } from "../delivery/unfinished";
import type { Tenant } from "./chosen-tenant";
import type { TenantConfig } from "./tenants";

interface TenantNode extends Node<{ token: string }> {
  tenant?: Tenant;
}

/** The config node: settings, and which client and sandbox they mean. */
export function tenantNode(RED: NodeAPI): void {
  watchFlows(RED);
  keepUnfinished(RED);
  serveAdmin(RED);
  RED.nodes.registerType(
    "telephony-tenant",
    function (this: TenantNode, config: NodeDef) {
      RED.nodes.createNode(this, config);
      const { closeTenant, openTenant, stopTenant } = require("./tenants") as typeof import("./tenants");
      const { sentence } = require("../node-red/texts") as typeof import("../node-red/texts");
      const { token } = this.credentials ?? {};
      this.tenant = openTenant(RED, config as unknown as TenantConfig, token);
      const tell = (problem: TenantError | undefined) => problem && this.error(sentence(RED, problem));
      tell(this.tenant.problem);
      void this.tenant.client?.opened.then(tell);
      this.on("close", (removed: boolean, done: () => void) => {
        if (removed) closeTenant(this.id).then(done, done);
        else if (isStopping()) stopTenant(this.id).then(done, done);
        else done();
      });
    },
    { credentials: { token: { type: "password" } } },
  );
}
