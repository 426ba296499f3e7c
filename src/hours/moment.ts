import { DAY_MS } from "./dates";

export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** An instant on a zone's wall clock, `2026-11-23T08:00`; on the host's if there is no zone. */
export function wallTime(instant: number, timeZone: string | undefined): string {
  const options = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en", { ...options, hourCycle: "h23", ...(timeZone && { timeZone }) });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}`;
}

/**
 * A moment to come as a status names it: `17:30` today, `Mon 08:00` within a week, else `2026-12-24 08:00`.
 * @param iso ISO 8601: it is named as it is written there
 * @param today the date on the same calendar, YYYY-MM-DD
 */
export function momentOf(iso: string, today: string) {
  const [date = "", time = ""] = iso.split("T");
  const text = time.slice(0, 5);
  const away = (Date.parse(date) - Date.parse(today)) / DAY_MS;
  if (away === 0) return { text };
  const weekday = WEEKDAYS[new Date(date).getUTCDay()];
  return away > 0 && away < 7 && weekday ? { text, weekday } : { text: `${date} ${text}` };
}
