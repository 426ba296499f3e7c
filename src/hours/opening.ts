/** One opening of one day, in minutes of the wall clock since that day's midnight; `close` may lie in the next day. */
export interface Opening {
  readonly open: number;
  readonly close: number;
}

const DAY = 24 * 60;

/**
 * What two times of day mean together. A close at or before its open is one of the next day, equal ones 24 hours.
 * The service has no 24:00: a close at 23:59 stands for the midnight after it.
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
