import type { Routing } from "../src/runtime/register";

export const telephonyTenant: Routing = {
  type: "telephony-tenant",
  kind: "tenant",
  icons: { mode: "fa-toggle-on", timezone: "fa-clock-o" },
  starts: { mode: "sandbox", fromNumber: "0000000000" },
};
