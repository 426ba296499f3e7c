import { WEEKDAYS } from "../../../hours";
import { shared } from "../../words";

const WORKDAYS = 5;

/** Opens, below the row of a day, the choice of days that it is copied to. */
export function copyPanel(button: JQuery, row: JQuery, day: number, copy: (days: number[]) => void): void {
  let panel: JQuery | undefined;
  button.attr("aria-expanded", "false").on("click", () => (panel ? close() : open()));

  function open(): void {
    const made = $("<div>", { class: "telephony-copy" }).appendTo(row);
    panel = made;
    button.attr("aria-expanded", "true");
    $("<span>").text(shared("week.copyTo")).appendTo(made);
    const boxes = WEEKDAYS.map((name, index) => {
      const label = $("<label>").appendTo(made);
      const box = $<HTMLInputElement>("<input>", { type: "checkbox" }).appendTo(label);
      $("<span>")
        .text(shared(`status.days.${name}`))
        .appendTo(label);
      // A working day mostly goes with the other ones, a day of the weekend with the other one.
      box.prop({ checked: index < WORKDAYS === day < WORKDAYS && index !== day, disabled: index === day });
      return box;
    });
    const done = $("<button>", { type: "button", class: "red-ui-button red-ui-button-small" });
    done.text(shared("week.copyNow")).appendTo(made);
    done.on("click", () => {
      copy(boxes.flatMap((box, index) => (box.prop("checked") ? [index] : [])));
      close();
    });
    made.on("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
    // Ticking a day changes nothing yet.
    made.on("change input", (event) => event.stopPropagation());
    made.find("input:enabled").first().trigger("focus");
  }

  function close(): void {
    panel?.remove();
    panel = undefined;
    button.attr("aria-expanded", "false").trigger("focus");
  }
}
