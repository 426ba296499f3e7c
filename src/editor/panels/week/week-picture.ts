import { WEEKDAYS } from "../../../hours";
import { shared } from "../../words";
import { DAY, openSpans, WEEK, type Week } from "./week";
import { nameOfDay, range } from "./week-notes";

const HOURS = [0, 6, 12, 18, 24];

/**
 * Draws a week: a line for each day, a bar for each opening.
 * @param moment minutes since Monday's midnight, marked with a line
 */
export function drawWeek(box: JQuery, week: Week, moment?: number): void {
  box
    .empty()
    .addClass("telephony-picture")
    .attr({ role: "img", "aria-label": inWords(week) });
  const spans = openSpans(week);
  WEEKDAYS.forEach((name, day) => {
    $("<span>", { text: shared(`status.days.${name}`) }).appendTo(box);
    const line = $("<div>", { class: "telephony-line-of-day" }).appendTo(box);
    const from = day * DAY;
    for (const { start, end, times } of spans)
      for (const shift of [0, WEEK]) {
        // The part of the opening that lies in this day, in minutes of the day.
        const [left, right] = [Math.max(0, start - shift - from), Math.min(DAY, end - shift - from)];
        const css = { left: percent(left), width: percent(right - left) };
        if (left < right) $("<i>", { css, title: range(times) }).appendTo(line);
      }
    if (moment !== undefined && moment >= from && moment < from + DAY)
      $("<b>", { css: { left: percent(moment - from) } }).appendTo(line);
  });
  const axis = $("<div>", { class: "telephony-axis" }).appendTo(box);
  for (const hour of HOURS) $("<span>", { text: hour, css: { left: percent(hour * 60) } }).appendTo(axis);
}

function percent(minutes: number): string {
  return `${(minutes / DAY) * 100}%`;
}

function inWords(week: Week): string {
  const days = week.map((openings, day) => {
    const hours = openings.length > 0 ? openings.map(range).join(", ") : shared("week.closed");
    return `${nameOfDay(day)}: ${hours}`;
  });
  return days.join("; ");
}
