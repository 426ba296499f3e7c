import { operations, requestFor } from "../src/client/operations";
import { boolean, dayList, required, text, withDefault } from "../src/fields/field";
import { action, shape } from "../src/runtime/nodes/action/declaration";

export const scheduleFields = {
  name: required(text({ property: "scheduleName" })),
  // Reads return `enable`; the create request expects `enabled`.
  enabled: withDefault(boolean({ fallbacks: [["payload", "enable"]] }), true),
  days: required(dayList()),
};

export const businessHourCreate = action({
  type: "business-hour-create",
  repeat: "never",
  effect: "created",
  icons: { scheduleName: "fa-calendar-plus-o" },
  // An id that no schedule has, and the fields as the service names them in its answer.
  loggedData: ({ name, enabled }) => {
    const now = new Date().toISOString().replace("Z", "000Z");
    return { name, enable: enabled, updated_at: now, created_at: now, id: 0 };
  },
  shape: shape(scheduleFields, (values) => requestFor(operations.createBusinessHour, values)),
});
