import { WEEKDAYS } from "../../../hours";
import { shared } from "../../words";

const WORKDAYS = 5;

/** Makes a button open a choice of days, below the row of a day, to copy its openings to. */
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
      // Working days are usually alike, and so are the days of a weekend.
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
