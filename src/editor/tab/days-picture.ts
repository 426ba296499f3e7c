import type { WaitingCalls } from "../../runtime/admin/waiting-calls";
import { translate } from "../texts";

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const AXIS = [0, 6, 12, 18, 24];

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
      const css = { left: percent(hour), width: percent(1), height: `${Math.max(15, (count / most) * 100)}%` };
      const time = `${String(hour).padStart(2, "0")}:00`;
      $("<i>", { css, title: `${dayText(date)} ${time}: ${count}` }).appendTo(line);
    });
  }
  const axis = $("<div>", { class: "telephony-axis" }).appendTo(box);
  for (const hour of AXIS) $("<span>", { text: hour, css: { left: percent(hour) } }).appendTo(axis);
}

function percent(hours: number): string {
  return `${(hours / 24) * 100}%`;
}

/** `Mon 24`. */
function dayText(date: string): string {
  const weekday = WEEKDAYS[new Date(date).getUTCDay()] ?? "mon";
  return `${translate(`status.days.${weekday}`)} ${Number(date.slice(8))}`;
}
