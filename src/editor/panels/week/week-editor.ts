import { WEEKDAYS } from "../../../hours";
import type { ReadList } from "../../inputs/list-input";
import { translate } from "../../texts";
import { copyPanel } from "./copy-panel";
import { type TimesList, timesList } from "./times-list";
import { entriesOf, type Week, weekdayOf, weekOf } from "./week";
import { nameOfDay, notesOn } from "./week-notes";
import { drawWeek } from "./week-picture";

/**
 * Makes the editor of a week: typed times, several openings a day, one day copied to others, and a picture of it all.
 * @param value day entries of the flow file; they are returned as they are unless they were changed
 */
export function weekEditor(box: JQuery, value: unknown): ReadList {
  const lists: TimesList[] = [];
  const notes: JQuery[] = [];
  let touched = false;

  WEEKDAYS.forEach((_, day) => {
    const name = nameOfDay(day);
    const row = $("<div>", { class: "telephony-day", role: "group", "aria-label": name }).appendTo(box);
    $("<span>", { text: name }).appendTo(row);
    lists.push(timesList($("<div>").appendTo(row), name, translate("week.closed"), changed));
    copyPanel(row, day, translate("week.copy", { day: name }), (targets) => {
      const openings = lists[day]?.read() ?? [];
      for (const target of targets) lists[target]?.write(openings);
      changed();
    });
    notes.push($("<div>", { class: "telephony-notes", "aria-live": "polite" }).appendTo(row));
  });
  const picture = $("<div>").appendTo(box);
  const lost = $("<p>", { class: "telephony-problem" }).appendTo(box);

  weekOf(value).forEach((openings, day) => {
    lists[day]?.write(openings);
  });
  const unknown = Array.isArray(value) ? value.filter((entry) => weekdayOf(entry) === undefined).length : 0;
  lost.text(unknown > 0 ? translate("week.lost", { count: unknown }) : "").toggle(unknown > 0);
  show();
  return () => (touched ? entriesOf(week()) : value);

  function week(): Week {
    return lists.map((list) => list.read());
  }

  function changed(): void {
    touched = true;
    show();
    box.trigger("change");
  }

  function show(): void {
    const now = week();
    notes.forEach((place, day) => {
      place.empty();
      for (const { text, kind } of notesOn(now, day)) $("<p>", { class: `telephony-${kind}`, text }).appendTo(place);
    });
    drawWeek(picture, now);
  }
}
