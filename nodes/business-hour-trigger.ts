import type { Routing } from "../src/runtime/register";

export const businessHourTrigger: Routing = { type: "business-hour-trigger", kind: "trigger" };
