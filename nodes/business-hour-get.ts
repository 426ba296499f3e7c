import { operations, requestFor } from "../src/client/operations";
import { id, required } from "../src/fields/field";
import { action, shape } from "../src/runtime/nodes/action/declaration";

export const businessHourGet = action({
  type: "business-hour-get",
  repeat: "freely",
  effect: "none",
  shape: shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
    requestFor(operations.readBusinessHour, values),
  ),
});
