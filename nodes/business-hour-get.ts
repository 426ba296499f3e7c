import { id, required } from "../src/fields/field";
import { action, read, shape } from "../src/runtime/nodes/action/declaration";
import { path } from "../src/tenant/request";

export const businessHourGet = action({
  type: "business-hour-get",
  repeat: "freely",
  effect: "none",
  modes: {
    "": shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
      read(path`/api/v1/setting/business-hour/${values.id}`, {}, values),
    ),
  },
});
