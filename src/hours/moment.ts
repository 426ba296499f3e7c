import { MILLISECONDS_A_DAY } from "./dates";

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** A moment to come as a status names it. */
export interface Moment {
  /** Hours and minutes, behind the date if the moment is neither today nor within a week. */
  readonly text: string;
  /** The day within a week. */
  readonly weekday?: (typeof WEEKDAYS)[number];
}

/**
 * `17:30` today, `Mon 08:00` within a week, else `2026-12-24 08:00`.
 * @param iso ISO 8601 with an offset: it is named as it is written there
 * @param today the date on the same calendar, YYYY-MM-DD
 */
export function momentOf(iso: string, today: string): Moment {
  const [date = "", time = ""] = iso.split("T");
  const text = time.slice(0, 5);
  const away = (Date.parse(date) - Date.parse(today)) / MILLISECONDS_A_DAY;
  if (away === 0) return { text };
  const weekday = WEEKDAYS[new Date(date).getUTCDay()];
  return away > 0 && away < 7 && weekday ? { text, weekday } : { text: `${date} ${text}` };
}
