import type { Routing } from "../src/runtime/register";

export const telephonyTenant: Routing = { type: "telephony-tenant", kind: "tenant" };
