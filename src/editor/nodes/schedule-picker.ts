import { rowOf } from "../inputs/input";
import { pairOf } from "../inputs/pair";
import { typesFor } from "../inputs/types";
import { whenLoaded } from "../load";
import { shared } from "../words";

/**
 * Offers the tenant's schedules beside a typed name or id, asked for when the list is opened. A list that cannot be had
 * says why; typing is always possible.
 */
export function offerSchedules(node: EditorNode, property: "scheduleName" | "scheduleId"): void {
  const input = $(`#node-input-${property}`);
  const types = typesFor(node, property, pairOf(node, property));
  const byId = property === "scheduleId";
  const written: TypedInputType = {
    value: "str",
    label: shared(byId ? "source.id" : "source.name"),
    icon: "fa fa-calendar-o",
    expand: Object.assign(
      function (this: TypedInputWidget) {
        whenLoaded(rowOf(input), ({ scheduleMenu }) => scheduleMenu(node, this, byId));
      },
      { icon: "fa-caret-down" },
    ),
  };
  input.typedInput("types", [written, ...types.filter((type) => type !== "str")]);
  const button = input.next().find(".red-ui-typedInput-option-expand");
  button.attr({ title: shared("schedules.pick"), "aria-label": shared("schedules.pick") });
}
