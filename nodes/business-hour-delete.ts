import { operations, requestFor } from "../src/client/operations";
import { id, required } from "../src/fields/field";
import { action, shape } from "../src/runtime/nodes/action/declaration";

export const businessHourDelete = action({
  type: "business-hour-delete",
  repeat: "freely",
  effect: "deleted",
  rows: ["scheduleId", "warning"],
  shape: shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
    requestFor(operations.deleteBusinessHour, values),
  ),
});
