import { isGiven } from "./untrusted";
import { ValueError } from "./value-error";

/** Length of the longest text that is read as a time, with the blanks around it. */
const LONGEST_TIME = 32;

/** The end of a day, as a schedule of the service may have it. The service accepts neither. */
function isMidnight(time: string, seconds: string): boolean {
  return (time === "23:59" && seconds === "59") || (time === "24:00" && seconds === "00");
}

/**
 * Reads a time of day for a request. `8:00`, `08:00` and the `08:00:00` of the service's responses are the same time. What
 * a response has for midnight is accepted too, so that a schedule that was read can be created again.
 * @returns `HH:MM`, as the service accepts it
 * @throws ValueError `timeMissing`, `timeFormat`, `timeSeconds` (seconds other than 00), `timeEnd` (24:00, which the service does not have)
 */
export function readTime(value: unknown, path = ""): string {
  const { time, seconds } = parsedTime(value, path);
  if (seconds !== undefined && isMidnight(time, seconds)) return "23:59";
  if (time === "24:00") throw new ValueError("input.hours.timeEnd", path, { value });
  if (seconds !== undefined && seconds !== "00") throw new ValueError("input.hours.timeSeconds", path, { value });
  return time;
}

/**
 * Reads a time of day of a schedule that the service gives, as it is.
 * @returns `HH:MM`, or `HH:MM:SS` where there are seconds; `24:00` for midnight at the end of the day
 * @throws ValueError `timeMissing`, `timeFormat`
 */
export function readGivenTime(value: unknown, path = ""): string {
  const { time, seconds = "00" } = parsedTime(value, path);
  if (isMidnight(time, seconds)) return "24:00";
  return seconds === "00" ? time : `${time}:${seconds}`;
}

function parsedTime(value: unknown, path: string): { time: string; seconds: string | undefined } {
  if (!isGiven(value)) throw new ValueError("input.hours.timeMissing", path);
  const refused = { value };
  if (typeof value !== "string" || value.length > LONGEST_TIME)
    throw new ValueError("input.hours.timeFormat", path, refused);
  const match = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d))?$/.exec(value.trim());
  if (!match) throw new ValueError("input.hours.timeFormat", path, refused);
  const [, hour = "", minute = "", seconds] = match;
  const isEnd = hour === "24" && minute === "00" && Number(seconds ?? 0) === 0;
  if (Number(hour) > 23 && !isEnd) throw new ValueError("input.hours.timeFormat", path, refused);
  return { time: `${hour.padStart(2, "0")}:${minute}`, seconds };
}

/** An opening of one day, in seconds of the wall clock since its midnight. `close` may lie in the next day. */
export interface Opening {
  readonly open: number;
  readonly close: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Combines two times of day. A close at or before the open is on the next day, so equal times mean 24 hours.
 * The service has no 24:00: a close at 23:59 means the following midnight.
 * @param open as {@link readTime} or {@link readGivenTime} returns it
 * @param close as `open`
 */
export function opening(open: string, close: string): Opening {
  const nextDay = close <= open ? DAY_SECONDS : 0;
  return { open: secondsOf(open), close: nextDay + (close === "23:59" ? DAY_SECONDS : secondsOf(close)) };
}

function secondsOf(time: string): number {
  const [hour, minute, second = "0"] = time.split(":");
  return (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
}
