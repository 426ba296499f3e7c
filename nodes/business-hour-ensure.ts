import { operations, requestFor } from "../src/client/operations";
import { action, shape } from "../src/runtime/nodes/action/declaration";
import { scheduleFields } from "./business-hour-create";

// Loaded with the first message: every start of Node-RED loads this file.
const load = () => require("../src/runtime/nodes/ensure/ensure") as typeof import("../src/runtime/nodes/ensure/ensure");

const mode = (isPlan: boolean) =>
  shape(
    scheduleFields,
    ({ name }) => requestFor(operations.listBusinessHours, { search: name }),
    (values, tools) => load().ensure(values, tools, isPlan),
  );

export const businessHourEnsure = action({
  type: "business-hour-ensure",
  // As a whole: a second run finds what a first one has left. Its request to create is never repeated.
  repeat: "freely",
  effect: "ensured",
  rows: ["scheduleName", "mode", "enabled", "days"],
  modes: { apply: mode(false), plan: mode(true) },
});
