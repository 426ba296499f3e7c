import { boolean, dayList, required, text, withDefault } from "../src/fields/field";
import { action, post, shape } from "../src/runtime/actions/action";

export const businessHourCreate = action({
  type: "business-hour-create",
  repeat: "never",
  modes: {
    "": shape(
      {
        name: required(text({ property: "scheduleName" })),
        // What was read says `enable`; the create request says `enabled`.
        enabled: withDefault(boolean({ fallbacks: [["payload", "enable"]] }), true),
        days: required(dayList()),
      },
      (values) => post("/api/v1/setting/business-hour", values),
    ),
  },
});
