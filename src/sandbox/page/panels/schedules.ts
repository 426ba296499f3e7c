import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { attempt } from "../../../json/rules";
import type { SandboxView } from "../../inspect/view";
import type { DayEntry, Schedule } from "../../service/schedules";
import { redraw } from "../redraw";
import { language, t } from "../texts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** Minutes. */
const DAY = 1440;
const MINUTE_MS = 60_000;
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const weekday = new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" });
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => weekday.format(MONDAY_MS + day * DAY * MINUTE_MS));

/** The time zone in which the page shows the time: the tenant's, if the address names it, else the browser's. */
const asked = new URLSearchParams(location.search).get("zone") ?? undefined;
const zone = attempt(() => new Intl.DateTimeFormat("en-US", { timeZone: asked }).resolvedOptions().timeZone);

/** A part of a day, in its minutes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The schedules as pictures of their weeks, with what they mean now. */
export function schedulesPanel({ schedules, counts }: SandboxView): TemplateResult {
  // Sweden writes times as ISO 8601 does.
  const wall = Date.parse(`${new Date().toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T")}Z`);
  const minute = Math.floor((wall - MONDAY_MS) / MINUTE_MS) % (7 * DAY);
  const more = counts.schedules - schedules.length;
  return html`<details class="panel" @toggle=${redraw}>
    <summary>${t("schedules")}</summary>
    <div class="body">
      ${guard([schedules, minute], () => schedules.map((schedule) => picture(schedule, minute)))}
      ${counts.schedules === 0 ? html`<p class="soft">${t("noSchedules")}</p>` : nothing}
      ${more > 0 ? html`<p class="soft">${t("moreSchedules", { count: more })}</p>` : nothing}
    </div>
  </details>`;
}

/** @param minute since Monday, 0:00 */
function picture({ name, enable, days }: Schedule, minute: number): TemplateResult {
  const week = spansByDay(days);
  const today = Math.floor(minute / DAY);
  const isOn = enable === 1;
  const isOpen = isOn && week[today]?.some(({ start, end }) => start <= minute % DAY && minute % DAY < end);
  const state = isOn ? (isOpen ? "openNow" : "closedNow") : "switchedOff";
  return html`<div class=${isOn ? "week" : "week off"}>
    <p><strong>${name}</strong> <span class=${isOpen ? "good" : "soft"}>${t(state)}</span></p>
    ${week.map((spans, day) => dayRow(spans, day, day === today ? minute % DAY : undefined))}
  </div>`;
}

/** @param now the minute of the day, if it is today */
function dayRow(spans: readonly Span[], day: number, now: number | undefined): TemplateResult {
  const title = spans.map(({ start, end }) => `${clockTime(start)}–${clockTime(end)}`).join(", ");
  // Set as properties: the page's policy forbids style attributes.
  const open = ({ start, end }: Span) =>
    html`<span class="open" .style=${`left: ${percent(start)}; width: ${percent(end - start)}`}></span>`;
  return html`<div class="day">
    <span class=${now === undefined ? "soft" : "today"}>${WEEKDAYS[day]}</span>
    <div class="bar" role="img" title=${title} aria-label=${title || t("closedAllDay")}>
      ${spans.map(open)}
      ${now === undefined ? nothing : html`<span class="hand" .style=${`left: ${percent(now)}`}></span>`}
    </div>
  </div>`;
}

function percent(minutes: number): string {
  return `${(minutes / DAY) * 100}%`;
}

function clockTime(minute: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${two(minute / 60)}:${two(minute % 60)}`;
}

/** When each day is open, from Monday on: closing at or before opening is on the next day, and 23:59 counts to midnight. */
function spansByDay(days: readonly DayEntry[]): Span[][] {
  const week = DAYS.map((): Span[] => []);
  for (const { day, open, close } of days) {
    const index = DAYS.indexOf(day.toLowerCase());
    const [start, closes] = [minuteOf(open), minuteOf(close)];
    const end = closes >= DAY - 1 ? DAY : closes;
    if (index < 0 || Number.isNaN(start) || Number.isNaN(end)) continue;
    week[index]?.push({ start, end: start < end ? end : DAY });
    if (start >= end && end > 0) week[(index + 1) % DAYS.length]?.push({ start: 0, end });
  }
  return week;
}

/** `08:30:00` */
function minuteOf(time: string): number {
  const [, hours, minutes, seconds = "0"] = /^(\d{1,2}):(\d\d)(?::(\d\d))?/.exec(time) ?? [];
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes) + Number(seconds) / 60;
}
