import type { Routing } from "../src/runtime/register";

export const businessHourGate: Routing = { type: "business-hour-gate", kind: "gate" };
