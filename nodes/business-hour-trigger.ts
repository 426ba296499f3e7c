import type { Routing } from "../src/runtime/register";
import { hoursIcons, hoursRows } from "./business-hour-gate";

export const businessHourTrigger: Routing = {
  type: "business-hour-trigger",
  kind: "trigger",
  outputs: ["opening", "closing"],
  rows: [...hoursRows, "openingOffset", "closingOffset", "atStart", "preview", ["more", "language", "refresh"]],
  icons: hoursIcons,
};
