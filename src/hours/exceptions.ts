import { isObject } from "../json/rules";
import { monthDay, readDate } from "./dates";
import { atOnce, type Closing, type Closings, calendarSteps, type ICalendar, isICalendar } from "./icalendar";
import { memoizeLast } from "./memoize";
import { type Opening, opening, readTime } from "./time-of-day";
import { isAbsent, own, readList, within } from "./untrusted";
import { ValueError } from "./value-error";
import type { Zone } from "./zone";

/** A day that has an exception. */
export interface SpecialDay {
  /** Null where the exception has none. */
  readonly name: string | null;
  /** An empty list means closed all day. */
  readonly openings: readonly Opening[];
}

/** Both ends belong to the range. They are days since 1970-01-01, or `monthDay` numbers in a yearly range. */
interface SpecialRange {
  readonly from: number;
  readonly to: number;
  readonly special: SpecialDay;
}

/** Exceptions in order of precedence: dates before ranges, and those of one year before yearly ones. */
export interface Exceptions {
  readonly dates: ReadonlyMap<number, SpecialDay>;
  readonly ranges: readonly SpecialRange[];
  readonly yearlyDates: ReadonlyMap<number, SpecialDay>;
  readonly yearlyRanges: readonly SpecialRange[];
  /** Times of a day that are closed, in order, where they come from an iCalendar text. */
  readonly closings?: readonly Closing[];
  /** The iCalendar text itself, of which {@link exceptionsAround} makes the rest. */
  readonly icalendar?: ICalendar;
}

/**
 * The exceptions around an instant: from the days before it to beyond the days that a calendar searches. Those of a list
 * are the same around each instant.
 */
export function exceptionsAround(exceptions: Exceptions, zone: Zone): (instant: number) => Exceptions {
  const { icalendar } = exceptions;
  if (!icalendar) return () => exceptions;
  const resolver = icalendar.resolverIn(zone);
  const exceptionsOf = memoizeLast(({ days, times }: Closings): Exceptions => {
    const dates = [...days].map(([day, name]) => [day, { name, openings: [] }] as const);
    return { ...NONE, dates: new Map(dates), closings: times };
  });
  return (instant) => exceptionsOf(resolver.at(instant));
}

/** Does in steps what would otherwise be done at once when exceptions are first asked for around an instant. */
export function* resolutionSteps({ icalendar }: Exceptions, zone: Zone, instant: number): Generator<undefined, void> {
  if (icalendar) yield* icalendar.resolverIn(zone).steps(instant);
}

/** The exception of a day, counted since 1970-01-01. Of two with equal precedence, the first in the list applies. */
export function exceptionOn(exceptions: Exceptions, day: number): SpecialDay | undefined {
  const { dates, ranges, yearlyDates, yearlyRanges } = exceptions;
  const thisYear = dates.get(day) ?? ranges.find(({ from, to }) => from <= day && day <= to)?.special;
  if (thisYear || (yearlyDates.size === 0 && yearlyRanges.length === 0)) return thisYear;
  const date = monthDay(day);
  return yearlyDates.get(date) ?? yearlyRanges.find((range) => coversYearly(range, date))?.special;
}

const NONE: Exceptions = { dates: new Map(), ranges: [], yearlyDates: new Map(), yearlyRanges: [] };

/** A yearly range that ends before it begins crosses the new year. */
function coversYearly({ from, to }: SpecialRange, date: number): boolean {
  return from <= to ? from <= date && date <= to : from <= date || date <= to;
}

/** Most exceptions in one list: some decades of public holidays. */
const MAX_EXCEPTIONS = 1000;

/** Most openings of one exception. */
const MAX_HOURS = 100;

interface Exception extends SpecialRange {
  readonly yearly: boolean;
  readonly isDate: boolean;
}

/** How a web page begins: what many servers answer where a calendar is not public, or is gone. */
const WEB_PAGE = /^\uFEFF?\s*<(?:!doctype\s+html|html|head|body|!--|\?xml)\b/i;

/**
 * Reads exceptions from a list or its JSON text, as {@link readExceptionList} does, or from iCalendar text, step by step.
 * @throws ValueError `webPage`, and as {@link readExceptionList} and {@link calendarSteps}
 */
export function* exceptionSteps(value: unknown): Generator<undefined, Exceptions> {
  if (WEB_PAGE.test(beginning(value))) throw new ValueError("input.hours.webPage", "", { line: 1 });
  return isICalendar(value) ? { ...NONE, icalendar: yield* calendarSteps(value) } : readExceptionList(value);
}

/** As {@link exceptionSteps}, at once. */
export function readExceptions(value: unknown): Exceptions {
  return atOnce(exceptionSteps(value));
}

function beginning(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(0, 1000)).toString("utf8");
  return typeof value === "string" ? value.slice(0, 1000) : "";
}

/**
 * Reads exceptions from a list or its JSON text. An entry has a `date`, or `from` and `to`, each `YYYY-MM-DD` or yearly
 * `MM-DD`, `hours: [{open, close}]`, and optionally a `name`; without hours it is closed all day. An absent list means no
 * exceptions.
 * @throws ValueError `listExpected`, `listLong`, `json`, `textLong`, `exceptionEntry`, `dateAndRange`, `rangeHalf`,
 * `rangeForms`, `rangeReversed`, `hoursElsewhere`, `hoursEntry`, and those of {@link readDate} and {@link readTime}
 */
export function readExceptionList(value: unknown): Exceptions {
  const dates = new Map<number, SpecialDay>();
  const ranges: SpecialRange[] = [];
  const yearlyDates = new Map<number, SpecialDay>();
  const yearlyRanges: SpecialRange[] = [];
  for (const exception of isAbsent(value) ? [] : readList(value, "", MAX_EXCEPTIONS, readException)) {
    const { yearly, isDate, from, to, special } = exception;
    const sameDates = yearly ? yearlyDates : dates;
    if (!isDate) (yearly ? yearlyRanges : ranges).push({ from, to, special });
    else if (!sameDates.has(from)) sameDates.set(from, special);
  }
  return { dates, ranges, yearlyDates, yearlyRanges };
}

/** Keys that other programs use for the hours of a day. If they were ignored, the day would be closed. */
export const HOURS_ELSEWHERE = ["open", "close", "opens", "closes", "openings", "Hours", "closed"];

function readException(entry: unknown, path: string): Exception {
  if (!isObject(entry)) throw new ValueError("input.hours.exceptionEntry", path, { value: entry });
  const given = (key: string) => own(entry, key, within(path, key));
  const misplaced = HOURS_ELSEWHERE.find((key) => !isAbsent(given(key)) && !(key === "closed" && given(key) === true));
  if (misplaced) throw new ValueError("input.hours.hoursElsewhere", within(path, misplaced));
  const special = { name: nameOf(given("name")), openings: readHours(given("hours"), within(path, "hours")) };
  const [date, first, last] = [given("date"), given("from"), given("to")];
  if (isAbsent(first) && isAbsent(last)) {
    const { yearly, at } = readDate(date, within(path, "date"));
    return { yearly, isDate: true, from: at, to: at, special };
  }
  if (!isAbsent(date)) throw new ValueError("input.hours.dateAndRange", path);
  if (isAbsent(first) || isAbsent(last)) throw new ValueError("input.hours.rangeHalf", path);
  const from = readDate(first, within(path, "from"));
  const to = readDate(last, within(path, "to"));
  const texts = { from: first, to: last };
  if (from.yearly !== to.yearly) throw new ValueError("input.hours.rangeForms", path, texts);
  if (!from.yearly && to.at < from.at) throw new ValueError("input.hours.rangeReversed", path, texts);
  return { yearly: from.yearly, isDate: false, from: from.at, to: to.at, special };
}

function nameOf(value: unknown): string | null {
  return (typeof value === "string" && value.trim()) || null;
}

function readHours(value: unknown, path: string): readonly Opening[] {
  return isAbsent(value) ? [] : readList(value, path, MAX_HOURS, readOpening);
}

function readOpening(entry: unknown, path: string): Opening {
  if (!isObject(entry)) throw new ValueError("input.hours.hoursEntry", path, { value: entry });
  const [open, close] = [within(path, "open"), within(path, "close")];
  return opening(readTime(own(entry, "open", open), open), readTime(own(entry, "close", close), close));
}
