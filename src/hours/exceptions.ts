import { monthDay } from "./dates";
import type { Opening } from "./opening";

/** What happens on a day that has an exception: its openings; none of them is closed all day. */
export type SpecialDay = readonly Opening[];

/** Both ends belong to the range, counted as days since 1970-01-01, or for every year as `monthDay` does. */
export interface SpecialRange {
  readonly from: number;
  readonly to: number;
  readonly special: SpecialDay;
}

/** Exceptions, sorted by what wins over what: a date over a range, one year's over every year's. */
export interface Exceptions {
  readonly dates: ReadonlyMap<number, SpecialDay>;
  readonly ranges: readonly SpecialRange[];
  readonly yearlyDates: ReadonlyMap<number, SpecialDay>;
  readonly yearlyRanges: readonly SpecialRange[];
}

/** The exception of a day, counted since 1970-01-01. Of two alike, the one listed first counts. */
export function exceptionOn(exceptions: Exceptions, day: number): SpecialDay | undefined {
  const { dates, ranges, yearlyDates, yearlyRanges } = exceptions;
  const thisYear = dates.get(day) ?? ranges.find(({ from, to }) => from <= day && day <= to)?.special;
  if (thisYear || (yearlyDates.size === 0 && yearlyRanges.length === 0)) return thisYear;
  const date = monthDay(day);
  return yearlyDates.get(date) ?? yearlyRanges.find((range) => coversYearly(range, date))?.special;
}

/** A yearly range that ends before it begins crosses the new year. */
function coversYearly({ from, to }: SpecialRange, date: number): boolean {
  return from <= to ? from <= date && date <= to : from <= date || date <= to;
}
