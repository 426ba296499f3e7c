import { isObject } from "../json/rules";
import { monthDay, readDate } from "./dates";
import { atOnce, type Closing, type Closings, calendarSteps, decoded, type ICalendar, isICalendar } from "./icalendar";
import { memoizeLast } from "./memoize";
import { type Opening, opening, readTime } from "./time-of-day";
import { isGiven, own, readList, within } from "./untrusted";
import { ValueError } from "./value-error";
import type { Zone } from "./zone";

/** A day that has an exception. */
export interface SpecialDay {
  /** Null where the exception has none. */
  readonly name: string | null;
  /** An empty list means closed all day. */
  readonly openings: readonly Opening[];
}

/** The days of an exception. Both ends belong to it: days since 1970-01-01, or `monthDay` numbers where it is yearly. */
interface SpecialRange {
  readonly yearly: boolean;
  readonly from: number;
  readonly to: number;
  readonly special: SpecialDay;
}

export interface Exceptions {
  /** In order of precedence. */
  readonly ranges: readonly SpecialRange[];
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
    const ranges = days.map(({ day, name }) => ({
      yearly: false,
      from: day,
      to: day,
      special: { name, openings: [] },
    }));
    return { ranges, closings: times };
  });
  return (instant) => exceptionsOf(resolver.at(instant));
}

/** The exception of a day, counted since 1970-01-01. */
export function exceptionOn({ ranges }: Exceptions, day: number): SpecialDay | undefined {
  const date = monthDay(day);
  return ranges.find((range) => covers(range, range.yearly ? date : day))?.special;
}

export const NO_EXCEPTIONS: Exceptions = { ranges: [] };

/** A yearly range that ends before it begins crosses the new year. */
function covers({ from, to }: SpecialRange, date: number): boolean {
  return from <= to ? from <= date && date <= to : from <= date || date <= to;
}

/** Most exceptions in one list: some decades of public holidays. */
const MAX_EXCEPTIONS = 1000;

/** Most openings of one exception. */
const MAX_HOURS = 100;

/** The beginning of a web page: what many servers answer where a calendar is not public, or is gone. */
const WEB_PAGE = /^\uFEFF?\s*<(?:!doctype\s+html|html|head|body|!--|\?xml)\b/i;

/**
 * Reads exceptions from a list or its JSON text, as {@link readExceptionList} does, or from iCalendar text, step by step.
 * @throws ValueError `webPage`, and as {@link readExceptionList} and {@link calendarSteps}
 */
export function* exceptionSteps(value: unknown): Generator<undefined, Exceptions> {
  const given = value instanceof Uint8Array ? decoded(value) : value;
  if (typeof given === "string" && WEB_PAGE.test(given.slice(0, 1000)))
    throw new ValueError("input.hours.webPage", "", { line: 1 });
  return isICalendar(given) ? { ...NO_EXCEPTIONS, icalendar: yield* calendarSteps(given) } : readExceptionList(given);
}

/** Carries out {@link exceptionSteps} at once. */
export function readExceptions(value: unknown): Exceptions {
  return atOnce(exceptionSteps(value));
}

/**
 * Reads exceptions from a list or its JSON text. An entry has a `date`, or `from` and `to`, each `YYYY-MM-DD` or yearly
 * `MM-DD`, `hours: [{open, close}]`, and optionally a `name`; without hours it is closed all day. An absent list means no
 * exceptions.
 * @throws ValueError `listExpected`, `listLong`, `json`, `textLong`, `exceptionEntry`, `dateAndRange`, `rangeHalf`,
 * `rangeForms`, `rangeReversed`, `hoursElsewhere`, `hoursEntry`, and those of {@link readDate} and {@link readTime}
 */
export function readExceptionList(value: unknown): Exceptions {
  if (!isGiven(value)) return NO_EXCEPTIONS;
  const ranges = readList(value, "", MAX_EXCEPTIONS, readException);
  // Dates before ranges, and those of one year before yearly ones; of two alike, the first in the list.
  const rank = ({ yearly, isDate }: (typeof ranges)[number]) => (yearly ? 2 : 0) + (isDate ? 0 : 1);
  return { ranges: ranges.sort((a, b) => rank(a) - rank(b)) };
}

/** Keys that other programs use for the hours of a day. If they were ignored, the day would be closed. */
export const HOURS_ELSEWHERE = "^(?:[Oo]pen(?:s|ings)?|[Cc]loses?|Hours)$";
/** One that says that the day is closed, and may say that it is not. */
export const CLOSED_OR_NOT = "^[Cc]losed$";

function isMisplaced([key, value]: readonly [string, unknown]): boolean {
  return (
    isGiven(value) && new RegExp(value === true ? HOURS_ELSEWHERE : `${HOURS_ELSEWHERE}|${CLOSED_OR_NOT}`).test(key)
  );
}

function readException(entry: unknown, path: string): SpecialRange & { readonly isDate: boolean } {
  if (!isObject(entry)) throw new ValueError("input.hours.exceptionEntry", path, { value: entry });
  const given = (key: string) => own(entry, key);
  const [misplaced] = Object.entries(entry).find(isMisplaced) ?? [];
  if (misplaced !== undefined) throw new ValueError("input.hours.hoursElsewhere", within(path, misplaced));
  const special = { name: nameOf(given("name")), openings: readHours(given("hours"), within(path, "hours")) };
  const [date, first, last] = [given("date"), given("from"), given("to")];
  if (!isGiven(first) && !isGiven(last)) {
    const { yearly, at } = readDate(date, within(path, "date"));
    return { yearly, isDate: true, from: at, to: at, special };
  }
  if (isGiven(date)) throw new ValueError("input.hours.dateAndRange", path);
  if (!isGiven(first) || !isGiven(last)) throw new ValueError("input.hours.rangeHalf", path);
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
  return isGiven(value) ? readList(value, path, MAX_HOURS, readOpening) : [];
}

function readOpening(entry: unknown, path: string): Opening {
  if (!isObject(entry)) throw new ValueError("input.hours.hoursEntry", path, { value: entry });
  return opening(
    readTime(own(entry, "open"), within(path, "open")),
    readTime(own(entry, "close"), within(path, "close")),
  );
}
