import { operations, requestFor } from "../src/client/operations";
import { boolean, positiveInteger, text } from "../src/fields/field";
import { action, shape } from "../src/runtime/nodes/action/declaration";

const list = shape({ search: text(), limit: positiveInteger(), asc: boolean(), page: positiveInteger() }, (values) =>
  requestFor(operations.listBusinessHours, values),
);

export const businessHourList = action({
  type: "business-hour-list",
  repeat: "freely",
  effect: "none",
  rows: ["output", "search", "asc", "limit", "page"],
  modeProperty: "output",
  modes: { page: list, all: { ...list, pages: "all" }, each: { ...list, pages: "each" } },
});
