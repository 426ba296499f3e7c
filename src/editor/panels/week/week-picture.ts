import { type DayOfWeek, WEEKDAYS } from "../../../hours";
import { joined } from "../../../texts/catalogue";
import type { Preview } from "../../../workshop/admin/preview/answer";
import { translate } from "../../texts";
import { clock, DAY, openSpans, type Times, type Week } from "./week";
import { nameOfDay, range } from "./week-notes";

/** Hours. */
const AXIS = [0, 6, 12, 18, 24];

/** Marks of a week beside its hours: the moment, and the exceptions. */
type WeekMarks = Partial<NonNullable<Preview["week"]>>;

/** Draws a week: a line for each day, a bar for each opening. Marks that were set before stay. */
export function drawWeek(box: JQuery, week: Week): void {
  const { moment, specials = [] } = (box.data("marks") ?? {}) as WeekMarks;
  box
    .data("week", week)
    .empty()
    .addClass("telephony-picture")
    .attr({ role: "img", "aria-label": inWords(week, specials) });
  const bars = barsOf(week, specials);
  WEEKDAYS.forEach((name, day) => {
    $("<span>", { text: translate(`status.days.${name}`) }).appendTo(box);
    const isSpecial = specials.some((special) => special.day === day);
    const line = $("<div>", { class: "telephony-line-of-day" })
      .toggleClass("telephony-special", isSpecial)
      .appendTo(box);
    const from = day * DAY;
    for (const { start, end, title } of bars) {
      // The part of the opening that lies in this day, in minutes of the day.
      const [left, right] = [Math.max(0, start - from), Math.min(DAY, end - from)];
      const css = { left: percent(left), width: percent(right - left) };
      if (left < right) $("<i>", { css, title }).appendTo(line);
    }
    if (moment !== undefined && moment >= from && moment < from + DAY)
      $("<b>", { css: { left: percent(moment - from) } }).appendTo(line);
  });
  const axis = $("<div>", { class: "telephony-axis" }).appendTo(box);
  for (const hour of AXIS) $("<span>", { text: hour, css: { left: percent(hour * 60) } }).appendTo(axis);
  for (const special of specials)
    if (special.day >= 0) $("<p>", { class: "telephony-exception", text: specialInWords(special) }).appendTo(box);
}

/** A part of a day in its line. */
function percent(minutes: number): string {
  return `${(minutes / DAY) * 100}%`;
}

/** Sets what is shown beside the hours of a week, or removes it, and draws the week again. */
export function markWeek(box: JQuery, marks: WeekMarks = {}): void {
  const week = box.data("marks", marks).data("week") as Week | undefined;
  if (week) drawWeek(box, week);
}

/**
 * The bars of the picture, in minutes since Monday's midnight: the openings from the Sunday before, which may reach into the
 * week. Hours of an exception replace those of its day.
 */
function barsOf(week: Week, specials: readonly DayOfWeek[]) {
  const days = [week.at(-1) ?? [], ...week].map((openings, index) => {
    const special = specials.find(({ day }) => day === index - 1);
    return special ? special.openings.map(timesOf) : openings;
  });
  // The days are counted from that Sunday, so that the number of each is that of the day after it.
  return openSpans(days).map(({ day: next, times, start, end }) => {
    // A day that is closed by an exception cuts off the night before it.
    const isCut = specials.some(({ day, openings }) => day === next && openings.length === 0);
    return { start: start - DAY, end: Math.min(end - DAY, isCut ? next * DAY : 8 * DAY), title: range(times) };
  });
}

/** An opening in seconds since midnight, which may end on the next day, as it would be typed. */
function timesOf({ open, close }: DayOfWeek["openings"][number]): Times {
  const [from, until] = [Math.floor(open / 60), Math.floor(close / 60)];
  return { open: clock(from), close: clock(until > DAY ? until - DAY : until) };
}

function inWords(week: Week, specials: readonly DayOfWeek[]): string {
  const days = week.map((openings, day) => {
    const special = specials.find((each) => each.day === day);
    if (special) return specialInWords(special);
    return translate("pattern.named", { name: nameOfDay(day), text: ranges(openings) || translate("week.closed") });
  });
  return days.join("\n");
}

function ranges(openings: readonly Times[]): string {
  return joined(translate, "pattern.also", openings.map(range));
}

function specialInWords({ day, name, openings }: DayOfWeek): string {
  return translate("exception.shown", {
    day: nameOfDay(day),
    name: name ?? translate("exception.hours"),
    hours: ranges(openings.map(timesOf)) || translate("exception.closed"),
  });
}
