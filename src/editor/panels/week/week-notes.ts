import { WEEKDAYS } from "../../../hours";
import { translate } from "../../texts";
import { timeProblems } from "./typed-time";
import { DAY, type OpenSpan, openSpans, type Times, type Week } from "./week";

interface WeekNote {
  readonly text: string;
  readonly kind: "problem" | "warning" | "hint";
}

/** Notes on the openings of a day: what cannot be read, overlaps, or continues on the next day. */
export function notesOn(week: Week, day: number): WeekNote[] {
  const spans = openSpans(week);
  return [
    ...(week[day] ?? []).flatMap(timeProblems).map((text) => ({ text, kind: "problem" as const })),
    ...spans.filter((span) => span.day === day).flatMap((span) => [...overlaps(span, spans), ...overnight(span)]),
  ];
}

export function range({ open, close }: Times): string {
  return `${open}–${close}`;
}

export function nameOfDay(day: number): string {
  return translate(`week.day.${WEEKDAYS[day % 7] as (typeof WEEKDAYS)[number]}`);
}

/** Notes an overlap once, at the opening that begins later. An opening of Sunday may continue on Monday. */
function overlaps(span: OpenSpan, spans: readonly OpenSpan[]): WeekNote[] {
  const own = spans.indexOf(span);
  return spans.flatMap((other, index) => {
    if (index === own) return [];
    const runsInto = [other.start, other.start - 7 * DAY].some((start) => {
      const earlier = start < span.start || (start === span.start && index < own);
      return earlier && start + other.end - other.start > span.start;
    });
    if (!runsInto) return [];
    const first = other.day === span.day ? range(other.times) : `${nameOfDay(other.day)} ${range(other.times)}`;
    return [{ text: translate("week.overlap", { first, second: range(span.times) }), kind: "warning" as const }];
  });
}

function overnight({ day, times, end }: OpenSpan): WeekNote[] {
  const { open, close } = times;
  const params = { times: range(times), close, day: nameOfDay(day + 1) };
  if (open === close) return [{ text: translate("week.wholeDay", params), kind: "hint" }];
  if (close === "23:59") return [{ text: translate("week.throughMidnight", params), kind: "hint" }];
  return end > (day + 1) * DAY ? [{ text: translate("week.overnight", params), kind: "hint" }] : [];
}
