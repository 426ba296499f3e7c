import { WEEKDAYS } from "../../../hours";
import { joined } from "../../../texts/catalogue";
import { translate } from "../../texts";
import { DAY, openSpans, type Week } from "./week";
import { nameOfDay, range } from "./week-notes";

/** The hours below the lines of days. */
const AXIS = [0, 6, 12, 18, 24];

/** Draws a week: a line for each day, a bar for each opening. */
export function drawWeek(box: JQuery, week: Week): void {
  box
    .empty()
    .addClass("telephony-picture")
    .attr({ role: "img", "aria-label": inWords(week) });
  // From the Sunday before, whose last opening may reach into the week.
  const spans = openSpans([week.at(-1) ?? [], ...week]);
  WEEKDAYS.forEach((name, day) => {
    $("<span>", { text: translate(`status.days.${name}`) }).appendTo(box);
    const line = $("<div>", { class: "telephony-line-of-day" }).appendTo(box);
    const from = (day + 1) * DAY;
    for (const { start, end, times } of spans) {
      // The part of the opening that lies in this day, in minutes of the day.
      const [left, right] = [Math.max(0, start - from), Math.min(DAY, end - from)];
      const css = { left: percent(left), width: percent(right - left) };
      if (left < right) $("<i>", { css, title: range(times) }).appendTo(line);
    }
  });
  const axis = $("<div>", { class: "telephony-axis" }).appendTo(box);
  for (const hour of AXIS) $("<span>", { text: hour, css: { left: percent(hour * 60) } }).appendTo(axis);
}

/** A part of a day in its line. */
function percent(minutes: number): string {
  return `${(minutes / DAY) * 100}%`;
}

function inWords(week: Week): string {
  const days = week.map((openings, day) => {
    const text = joined(translate, "pattern.also", openings.map(range)) || translate("week.closed");
    return translate("pattern.named", { name: nameOfDay(day), text });
  });
  return days.join("\n");
}
