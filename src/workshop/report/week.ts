import { dateOf, dayOf, wallOf } from "../../hours/dates";
import { html, type Markup } from "../../page/markup";
import type { Report } from "../rehearsal/make-report";
import type { ReportTexts } from "./texts";

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));
/** More days than this are shown only where something happened. */
const MOST_EMPTY_DAYS = 31;
/** No page has more. */
const MOST_DAYS = 100;
const STRENGTHS = 5;

interface Hour {
  calls: number;
  notPlaced: number;
}

/** Draws days and hours: how many calls, and where messages were not placed. */
export function week(texts: ReportTexts, report: Report): Markup {
  const hours = hoursOf(report);
  const most = Math.max(1, ...[...hours.values()].map(({ calls }) => calls));
  const row = (day: string) => html`<tr>
<th scope="row">${texts.time(`${day}T00:00:00`, "day")}</th>
${HOURS.map((hour) => cell(texts, `${day}T${hour}`, hours.get(`${day}T${hour}`), most))}
</tr>`;
  return html`<div class="scroll"><table class="week">
<thead><tr><td></td>${HOURS.map((hour) => html`<th scope="col">${Number(hour)}</th>`)}</tr></thead>
<tbody>${daysOf(report, hours).map(row)}</tbody>
</table></div>`;
}

function cell(texts: ReportTexts, key: string, found: Hour | undefined, most: number): Markup {
  if (!found) return html`<td></td>`;
  const [calls, notPlaced] = [texts.count(found.calls), texts.count(found.notPlaced)];
  const text = texts.text("callsAndNot", { calls, notPlaced });
  const title = texts.text("named", { name: texts.time(`${key}:00:00`, "minute"), text });
  const strength = Math.ceil((found.calls / most) * STRENGTHS);
  const missed = found.notPlaced > 0 ? "missed" : "";
  return html`<td class="s${strength} ${missed}" title="${title}">${found.calls > 0 ? calls : ""}</td>`;
}

function hoursOf({ calls, notPlaced }: Report): ReadonlyMap<string, Hour> {
  /** By `2026-12-01T09`. */
  const hours = new Map<string, Hour>();
  const add = (at: string, what: keyof Hour) => {
    const key = at.slice(0, 13);
    const hour = hours.get(key) ?? { calls: 0, notPlaced: 0 };
    hour[what] += 1;
    hours.set(key, hour);
  };
  for (const { at } of calls) add(at, "calls");
  for (const { at } of notPlaced) add(at, "notPlaced");
  return hours;
}

function daysOf({ from, until }: Report, hours: ReadonlyMap<string, Hour>): readonly string[] {
  const busy = new Set([...hours.keys()].map((key) => key.slice(0, 10)));
  const [first, last] = [dayOf(wallOf(from)), dayOf(wallOf(until) - 1)];
  const all = Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index));
  const days = all.length > MOST_EMPTY_DAYS ? all.filter((day) => busy.has(day)) : all;
  // What still waited at the end stands at its very instant.
  return [...new Set([...days, ...busy])].sort().slice(0, MOST_DAYS);
}
