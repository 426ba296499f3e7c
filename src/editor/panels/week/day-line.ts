/** The minutes of a day. */
export const DAY = 24 * 60;

const HOURS = [0, 6, 12, 18, 24];

/** `08:30`, of minutes since midnight. */
export function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** A part of a day in the line that stands for it. */
export function percent(minutes: number): string {
  return `${(minutes / DAY) * 100}%`;
}

/** Draws the hours below the lines of days. */
export function drawAxis(box: JQuery): void {
  const axis = $("<div>", { class: "telephony-axis" }).appendTo(box);
  for (const hour of HOURS) $("<span>", { text: hour, css: { left: percent(hour * 60) } }).appendTo(axis);
}
