import { HoursError } from "./hours-error";
import { isAbsent } from "./untrusted";

/** The longest text that may be a time, blanks around it included. */
const MOST_TIME = 32;

/**
 * A time of day as the service takes it, `HH:MM`. `8:00`, `08:00` and the `08:00:00` of the service's answers are one time.
 * @throws HoursError `timeMissing`, `timeFormat`, `timeSeconds` (seconds other than 00), `timeEnd` (24:00, which the service does not have)
 */
export function readTime(value: unknown, path = ""): string {
  if (isAbsent(value)) throw new HoursError("timeMissing", path);
  const wrong = { value };
  if (typeof value !== "string" || value.length > MOST_TIME) throw new HoursError("timeFormat", path, wrong);
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(value.trim());
  if (!match) throw new HoursError("timeFormat", path, wrong);
  const [, hour = "", minute = "", second = "00"] = match;
  if (hour === "24" && minute === "00" && second === "00") throw new HoursError("timeEnd", path, wrong);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw new HoursError("timeFormat", path, wrong);
  if (second !== "00") throw new HoursError("timeSeconds", path, wrong);
  return `${hour.padStart(2, "0")}:${minute}`;
}
