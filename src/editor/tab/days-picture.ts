import { WEEKDAYS } from "../../hours/moment";
import type { WaitingCalls } from "../../workshop/admin/waiting-calls";
import { clock, drawAxis, percent } from "../panels/week/day-line";
import { translate } from "../texts";

/** Draws days: a line for each, with a bar for each hour that has calls. */
export function drawDays(box: JQuery, days: WaitingCalls["days"]): void {
  const most = Math.max(1, ...days.flatMap(({ hours }) => hours));
  const inWords = days.flatMap(({ date, hours }) => {
    const count = hours.reduce((sum, each) => sum + each, 0);
    return count > 0 ? [`${dayText(date)}: ${count}`] : [];
  });
  box
    .empty()
    .addClass("telephony-picture telephony-days")
    .attr({ role: "img", "aria-label": `${translate("tab.waits.days")} ${inWords.join(", ")}` });
  for (const { date, hours } of days) {
    $("<span>", { text: dayText(date) }).appendTo(box);
    const line = $("<div>", { class: "telephony-line-of-day" }).appendTo(box);
    hours.forEach((count, hour) => {
      if (count === 0) return;
      const height = `${Math.max(15, (count / most) * 100)}%`;
      const css = { left: percent(hour * 60), width: percent(60), height };
      $("<i>", { css, title: `${dayText(date)} ${clock(hour * 60)}: ${count}` }).appendTo(line);
    });
  }
  drawAxis(box);
}

/** `Mon 24`. */
function dayText(date: string): string {
  const weekday = WEEKDAYS[new Date(date).getUTCDay()] ?? "mon";
  return `${translate(`status.days.${weekday}`)} ${Number(date.slice(8))}`;
}
