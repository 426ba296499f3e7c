import { readTime } from "../../../hours";
import { translate } from "../../texts";
import { refusalUnder } from "../../validate/problem";
import type { Times } from "./week";

const TYPED = /^(\d{1,2})\s*[:.h]?\s*([0-5]\d)?(?::00)?\s*(?:h|([ap])\.?m\.?)?$/i;

/**
 * Converts typed text, such as `8`, `8.30`, `8h30`, `830` or `5 pm`, to a time in the service's format. The service has no
 * 24:00 and uses 23:59 for it. Other text is returned as it was typed.
 */
export function typedTime(text: string): string {
  const [match, hours, minutes = "00", half] = TYPED.exec(text.trim()) ?? [];
  if (match === undefined) return text.trim();
  const hour =
    half && Number(hours) <= 12 ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  if (hour === 24 && minutes === "00") return "23:59";
  return hour < 24 ? `${String(hour).padStart(2, "0")}:${minutes}` : text.trim();
}

export function timeProblems(times: Times): string[] {
  return (["open", "close"] as const).flatMap(
    (half) => refusalUnder(translate(`week.${half}`), () => readTime(times[half])) ?? [],
  );
}
