import { WEEKDAYS } from "../../../hours";
import type { ReadList } from "../../inputs/list-input";
import { translate } from "../../texts";
import { closeByEscape, iconButton, smallButton } from "../controls";
import { timesList } from "./times-list";
import { entriesOf, type Week, weekdayOf, weekOf } from "./week";
import { nameOfDay, notesOn } from "./week-notes";
import { drawWeek } from "./week-picture";

const WORKDAYS = 5;

/**
 * Makes the editor of a week: typed times, several openings a day, one day copied to others, and a picture of it all.
 * @param value day entries of the flow file
 */
export function weekEditor(box: JQuery, value: unknown): ReadList {
  const days = WEEKDAYS.map((_, day) => {
    const name = nameOfDay(day);
    const row = $("<div>", { class: "telephony-day", role: "group", "aria-label": name }).appendTo(box);
    $("<span>", { text: name }).appendTo(row);
    const list = timesList($("<div>").appendTo(row), name, translate("week.closed"));
    copyPanel(row, day, translate("week.copy", { day: name }), (targets) => {
      for (const target of targets) days[target]?.list.write(list.read());
      box.trigger("change");
    });
    return { list, notes: $("<div>", { class: "telephony-notes", "aria-live": "polite" }).appendTo(row) };
  });
  const picture = $("<div>").appendTo(box);
  const lost = $("<p>", { class: "telephony-problem" }).appendTo(box);

  weekOf(value).forEach((openings, day) => {
    days[day]?.list.write(openings);
  });
  const unknown = Array.isArray(value) ? value.filter((entry) => weekdayOf(entry) === undefined).length : 0;
  lost.text(unknown > 0 ? translate("week.lost", { count: unknown }) : "").toggle(unknown > 0);
  show();
  box.on("change input", show);
  return () => entriesOf(week());

  function week(): Week {
    return days.map(({ list }) => list.read());
  }

  function show(): void {
    const now = week();
    days.forEach(({ notes }, day) => {
      notes.empty();
      for (const { text, kind } of notesOn(now, day)) $("<p>", { class: `telephony-${kind}`, text }).appendTo(notes);
    });
    drawWeek(picture, now);
  }
}

/** Makes a button in the row of a day that opens a choice of days below it, to copy its openings to. */
function copyPanel(row: JQuery, day: number, label: string, copy: (days: number[]) => void): void {
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
