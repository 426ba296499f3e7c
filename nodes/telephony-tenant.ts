import { tenantNode } from "../src/runtime/tenant-node";

export = tenantNode;
