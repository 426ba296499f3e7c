import { id, required } from "../src/fields";
import { action, remove, shape } from "../src/runtime";
import { path } from "../src/tenant";

export = action({
  type: "business-hour-delete",
  repeat: "freely",
  modes: {
    "": shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
      remove(path`/api/v1/setting/business-hour/${values.id}`, values),
    ),
  },
});
