import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { attempt } from "../../../json/rules";
import { joined } from "../../../texts/catalogue";
import type { SandboxView } from "../../inspect/view";
import type { DayEntry, Schedule } from "../../service/schedules";
import { language, t } from "../texts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** Minutes. */
const DAY = 1440;
const MINUTE_MS = 60_000;
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

/** The weeks of the schedules, with what they mean now. */
export function schedulesPanel({ schedules, counts }: SandboxView): TemplateResult {
  // Sweden writes times as ISO 8601 does.
  const wall = Date.parse(`${new Date().toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T")}Z`);
  const minute = Math.floor((wall - MONDAY_MS) / MINUTE_MS) % (7 * DAY);
  const more = counts.schedules - schedules.length;
  return html`<details class="panel">
    <summary>${t("schedules")}</summary>
    <div class="body">
      ${guard([schedules, minute], () => schedules.map((schedule) => weekTable(schedule, minute)))}
      ${counts.schedules === 0 ? html`<p class="soft">${t("noSchedules")}</p>` : nothing}
      ${more > 0 ? html`<p class="soft">${t("moreSchedules", { count: more })}</p>` : nothing}
    </div>
  </details>`;
}

/** @param minute since Monday, 0:00 */
function weekTable({ name, enable, days }: Schedule, minute: number): TemplateResult {
  const week = spansByDay(days);
  const today = Math.floor(minute / DAY);
  const isOn = enable === 1;
  const isOpen = isOn && week[today]?.some(({ start, end }) => start <= minute % DAY && minute % DAY < end);
  const state = isOn ? (isOpen ? "openNow" : "closedNow") : "switchedOff";
  const spanText = ({ start, end }: Span) => `${clockTime(start)}–${clockTime(end)}`;
  const row = (spans: readonly Span[], day: number) => html`<tr class=${day === today ? "" : "soft"}>
    <th>${WEEKDAYS[day]}</th>
    <td>${joined(t, "also", spans.map(spanText)) || t("closedAllDay")}</td>
  </tr>`;
  return html`<table class="week">
    <caption><strong>${name}</strong> <span class=${isOpen ? "good" : "soft"}>${t(state)}</span></caption>
    ${week.map(row)}
  </table>`;
}

function clockTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns when each day is open, from Monday on: closing at or before opening is on the next day, and 23:59 counts to midnight. */
function spansByDay(days: readonly DayEntry[]): Span[][] {
  const week = DAYS.map((): Span[] => []);
  for (const { day, open, close } of days) {
    const index = DAYS.indexOf(day);
    const [start, closes] = [minuteOf(open), minuteOf(close)];
    const end = closes === DAY - 1 ? DAY : closes;
    week[index]?.push({ start, end: start < end ? end : DAY });
    if (start >= end && end > 0) week[(index + 1) % DAYS.length]?.push({ start: 0, end });
  }
  return week;
}

/** Reads the minutes since midnight from `08:30:00`. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
