import type { Params } from "../../../fields";
import { WEEKDAYS } from "../../../hours";
import { translate } from "../../texts";
import { DAY } from "./day-line";
import { timeProblem } from "./typed-time";
import { type OpenSpan, openSpans, type Times, type Week } from "./week";

interface WeekNote {
  readonly text: string;
  readonly kind: "problem" | "hint";
}

/** Notes on the openings of a day: what cannot be read, or continues on the next day. */
export function notesOn(week: Week, day: number): WeekNote[] {
  const spans = openSpans(week).filter((span) => span.day === day);
  return [...(week[day] ?? []).flatMap(problems), ...spans.flatMap(overnight)];
}

export function range({ open, close }: Times): string {
  return `${open}–${close}`;
}

export function nameOfDay(day: number): string {
  return translate(`week.day.${WEEKDAYS[day % 7] as (typeof WEEKDAYS)[number]}`);
}

function problems(times: Times): WeekNote[] {
  return (["open", "close"] as const).flatMap((half) => {
    const problem = timeProblem(times[half]);
    if (!problem) return [];
    const text = translate(`errors.${problem.key}`, {
      ...(problem.params as Params),
      field: translate(`week.${half}`),
    });
    return [{ text, kind: "problem" as const }];
  });
}

function overnight({ day, times, end }: OpenSpan): WeekNote[] {
  const { open, close } = times;
  const params = { times: range(times), close, day: nameOfDay(day + 1) };
  if (open === close) return [{ text: translate("week.wholeDay", params), kind: "hint" }];
  if (close === "23:59") return [{ text: translate("week.throughMidnight", params), kind: "hint" }];
  return end > (day + 1) * DAY ? [{ text: translate("week.overnight", params), kind: "hint" }] : [];
}
