import type { Routing } from "../src/runtime/register";

export const telephonyControl: Routing = { type: "telephony-control", kind: "control" };
