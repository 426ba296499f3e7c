import { type GivenDate, readDate } from "./dates";
import type { Exceptions, SpecialDay, SpecialRange } from "./exceptions";
import { HoursError } from "./hours-error";
import { type Opening, opening } from "./opening";
import { readTime } from "./time-of-day";
import { isAbsent, isRecord, own, readList, within } from "./untrusted";

/** Exceptions in one list: some decades of public holidays. */
const MOST_EXCEPTIONS = 1000;

/** Openings of one exception. */
const MOST_HOURS = 100;

interface DateException {
  readonly date: GivenDate;
  readonly special: SpecialDay;
}

interface RangeException {
  readonly from: GivenDate;
  readonly to: GivenDate;
  readonly special: SpecialDay;
}

/**
 * Exceptions from a list or its JSON text: `{date}` or `{from, to}`, each `YYYY-MM-DD` or for every year `MM-DD`, with
 * `hours: [{open, close}]`; no hours are closed all day. Nothing given means no exceptions.
 * @throws HoursError `listExpected`, `listLong`, `json`, `textLong`, `exceptionEntry`, `dateAndRange`, `rangeHalf`,
 * `rangeForms`, `rangeReversed`, `hoursEntry`, and those of {@link readDate} and {@link readTime}
 */
export function readExceptions(value: unknown): Exceptions {
  const dates = new Map<number, SpecialDay>();
  const ranges: SpecialRange[] = [];
  const yearlyDates = new Map<number, SpecialDay>();
  const yearlyRanges: SpecialRange[] = [];
  for (const exception of isAbsent(value) ? [] : readList(value, "", MOST_EXCEPTIONS, readException)) {
    if ("date" in exception) {
      const sameKind = exception.date.yearly ? yearlyDates : dates;
      if (!sameKind.has(exception.date.at)) sameKind.set(exception.date.at, exception.special);
    } else {
      const { from, to, special } = exception;
      (from.yearly ? yearlyRanges : ranges).push({ from: from.at, to: to.at, special });
    }
  }
  return { dates, ranges, yearlyDates, yearlyRanges };
}

function readException(entry: unknown, path: string): DateException | RangeException {
  if (!isRecord(entry)) throw new HoursError("exceptionEntry", path, { value: entry });
  const given = (key: string) => own(entry, key, within(path, key));
  const special = readHours(given("hours"), within(path, "hours"));
  const [date, from, to] = [given("date"), given("from"), given("to")];
  if (isAbsent(from) && isAbsent(to)) return { date: readDate(date, within(path, "date")), special };
  if (!isAbsent(date)) throw new HoursError("dateAndRange", path);
  if (isAbsent(from) || isAbsent(to)) throw new HoursError("rangeHalf", path);
  return { ...readRange(from, to, path), special };
}

function readRange(first: unknown, last: unknown, path: string): { from: GivenDate; to: GivenDate } {
  const from = readDate(first, within(path, "from"));
  const to = readDate(last, within(path, "to"));
  const texts = { from: first, to: last };
  if (from.yearly !== to.yearly) throw new HoursError("rangeForms", path, texts);
  if (!from.yearly && to.at < from.at) throw new HoursError("rangeReversed", path, texts);
  return { from, to };
}

function readHours(value: unknown, path: string): SpecialDay {
  return isAbsent(value) ? [] : readList(value, path, MOST_HOURS, readOpening);
}

function readOpening(entry: unknown, path: string): Opening {
  if (!isRecord(entry)) throw new HoursError("hoursEntry", path, { value: entry });
  const [open, close] = [within(path, "open"), within(path, "close")];
  return opening(readTime(own(entry, "open", open), open), readTime(own(entry, "close", close), close));
}
