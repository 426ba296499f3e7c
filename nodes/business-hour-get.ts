import { id, required } from "../src/fields";
import { action, read, shape } from "../src/runtime";
import { path } from "../src/tenant";

export = action({
  type: "business-hour-get",
  repeat: "freely",
  modes: {
    "": shape({ id: required(id({ property: "scheduleId" })) }, (values) =>
      read(path`/api/v1/setting/business-hour/${values.id}`, {}, values),
    ),
  },
});
