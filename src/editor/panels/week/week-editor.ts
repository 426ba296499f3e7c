import { WEEKDAYS } from "../../../hours";
import type { ReadList } from "../../inputs/list-input";
import { translate } from "../../texts";
import { copyPanel } from "./copy-panel";
import { timesList } from "./times-list";
import { entriesOf, type Week, weekdayOf, weekOf } from "./week";
import { nameOfDay, notesOn } from "./week-notes";
import { drawWeek } from "./week-picture";

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
