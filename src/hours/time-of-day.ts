import { HoursError } from "./hours-error";
import { isAbsent } from "./untrusted";

/** Length of the longest text that is read as a time, with the blanks around it. */
const LONGEST_TIME = 32;

/**
 * Reads a time of day. `8:00`, `08:00` and the `08:00:00` of the service's responses are the same time.
 * @returns `HH:MM`, as the service accepts it
 * @throws HoursError `timeMissing`, `timeFormat`, `timeSeconds` (seconds other than 00), `timeEnd` (24:00, which the service does not have)
 */
export function readTime(value: unknown, path = ""): string {
  if (isAbsent(value)) throw new HoursError("timeMissing", path);
  const refused = { value };
  if (typeof value !== "string" || value.length > LONGEST_TIME) throw new HoursError("timeFormat", path, refused);
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(value.trim());
  if (!match) throw new HoursError("timeFormat", path, refused);
  const [, hour = "", minute = "", second = "00"] = match;
  if (hour === "24" && minute === "00" && second === "00") throw new HoursError("timeEnd", path, refused);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new HoursError("timeFormat", path, refused);
  if (second !== "00") throw new HoursError("timeSeconds", path, refused);
  return `${hour.padStart(2, "0")}:${minute}`;
}

/** An opening of one day, in minutes of the wall clock since its midnight. `close` may lie in the next day. */
export interface Opening {
  readonly open: number;
  readonly close: number;
}

const DAY = 24 * 60;

/**
 * Combines two times of day. A close at or before the open is on the next day, so equal times mean 24 hours.
 * The service has no 24:00: a close at 23:59 means the following midnight.
 * @param open `HH:MM`
 * @param close `HH:MM`
 */
export function opening(open: string, close: string): Opening {
  const nextDay = close <= open ? DAY : 0;
  return { open: minutes(open), close: nextDay + (close === "23:59" ? DAY : minutes(close)) };
}

function minutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
