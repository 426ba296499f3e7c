import { tenantNode } from "../src/runtime/tenants/tenant-node";

export = tenantNode;
