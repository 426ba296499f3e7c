import type { NodeAPI } from "node-red";
import { momentOf } from "../../hours/moment";
import { shared } from "./catalogue";

/**
 * A moment to come in the words of a status: `17:30` today, `Mon 08:00` within a week, else `2026-12-24 08:00`.
 * @param iso ISO 8601 with an offset
 * @param today the date on the same calendar, YYYY-MM-DD
 */
export function momentText(RED: NodeAPI, iso: string, today: string): string {
  const { weekday, text } = momentOf(iso, today);
  return weekday ? `${shared(RED, `status.days.${weekday}`)} ${text}` : text;
}
