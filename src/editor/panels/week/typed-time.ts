import { HoursError, readTime } from "../../../hours";

const TYPED = /^(\d{1,2})\s*[:.h]?\s*([0-5]\d)?(?::00)?\s*(?:h|([ap])\.?m\.?)?$/i;

/**
 * A time as the service writes it, from what people type: `8`, `8.30`, `8h30`, `830`, `5 pm`. The service has no 24:00;
 * its 23:59 stands for that. What is no time stays as it was typed.
 */
export function typedTime(text: string): string {
  const [match, hours, minutes = "00", half] = TYPED.exec(text.trim()) ?? [];
  if (match === undefined) return text.trim();
  const hour =
    half && Number(hours) <= 12 ? (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hours);
  if (hour === 24 && minutes === "00") return "23:59";
  return hour < 24 ? `${String(hour).padStart(2, "0")}:${minutes}` : text.trim();
}

/** What is wrong with a time, as a key of the catalogue. */
export function timeProblem(text: string): HoursError | undefined {
  try {
    readTime(text);
    return undefined;
  } catch (error) {
    if (error instanceof HoursError) return error;
    throw error;
  }
}
