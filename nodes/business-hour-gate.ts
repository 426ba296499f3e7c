import type { Routing } from "../src/runtime/register";

/** The properties from which a node reads its hours. */
export const hoursRows = ["source", "tenant", "scheduleName", "scheduleId", "schedule", "timezone", "exceptions"];
export const hoursIcons = { scheduleId: "fa-hashtag" };

export const businessHourGate: Routing = {
  type: "business-hour-gate",
  kind: "gate",
  outputs: ["open", "closed"],
  rows: [...hoursRows, "preview", ["more", "override", "at", "language", "onUnknown", "refresh"]],
  icons: hoursIcons,
};
