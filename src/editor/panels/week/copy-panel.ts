import { WEEKDAYS } from "../../../hours";
import { translate } from "../../texts";
import { closeByEscape, iconButton, smallButton } from "../controls";

const WORKDAYS = 5;

/** Makes a button in the row of a day that opens a choice of days below it, to copy its openings to. */
export function copyPanel(row: JQuery, day: number, label: string, copy: (days: number[]) => void): void {
  let panel: JQuery | undefined;
  const button = iconButton("fa-clone", label, () => (panel ? close() : open()));
  button.attr("aria-expanded", "false").appendTo(row);

  function open(): void {
    button.attr("aria-expanded", "true");
    const days = WEEKDAYS.map((name, index) => {
      // Working days are usually alike, and so are the days of a weekend.
      const checked = index < WORKDAYS === day < WORKDAYS && index !== day;
      const box = $("<input>", { type: "checkbox", prop: { checked, disabled: index === day } });
      return $("<label>").append(box, $("<span>", { text: translate(`status.days.${name}`) }));
    });
    const done = smallButton({ text: translate("week.copyNow") }, () => {
      copy(days.flatMap((label, index) => (label.has("input:checked").length > 0 ? [index] : [])));
      close();
    });
    panel = $("<div>", { class: "telephony-line telephony-copy" })
      .append($("<span>", { text: translate("week.copyTo") }), days, done)
      .appendTo(row);
    closeByEscape(panel, close);
    // Ticking a day changes nothing yet.
    panel.on("change input", (event) => event.stopPropagation());
    panel.find("input:enabled").first().trigger("focus");
  }

  function close(): void {
    panel?.remove();
    panel = undefined;
    button.attr("aria-expanded", "false").trigger("focus");
  }
}
