import { id, required } from "../src/fields/field";
import { action, remove, shape } from "../src/runtime/nodes/action/declaration";
import { path } from "../src/tenant/request";

export const businessHourDelete = action({
  type: "business-hour-delete",
  repeat: "freely",
  effect: "deleted",
  modes: {
    "": shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
      remove(path`/api/v1/setting/business-hour/${values.id}`, values),
    ),
  },
});
