import { ValueError } from "../value-error";

/** A line of an iCalendar text, unfolded. */
export interface ContentLine {
  /** The line on which it begins, counted from 1 in the text as given. */
  readonly number: number;
  /** The property, in capitals; empty for a line that is none. */
  readonly name: string;
  readonly text: string;
}

/** A property that has a value. */
export interface Property {
  readonly name: string;
  readonly line: number;
  /** As written, with the name in front. */
  readonly parameters: string;
  readonly value: string;
}

/** Most characters of an iCalendar text: some ten thousand events. */
const MAX_TEXT = 5 * 1024 * 1024;

/** Most characters of a line that is read, and most parameters of it. Only lists of dates come near. */
const MAX_LINE = 32 * 1024;
const PARAMETER = `;[A-Za-z0-9-]+=[^";:]*(?:"[^"]*"[^";:]*)*`;
const READABLE = new RegExp(`^([A-Za-z0-9-]+(?:${PARAMETER}){0,20}):(.*)$`, "s");

/** A line of iCalendar text that no list has. It shows what a text is whose first line is damaged. */
const TELLING_LINE = /^\s*(?:BEGIN|END):(?:VCALENDAR|VEVENT|VTIMEZONE)\s*$/im;

export function isICalendar(value: unknown): value is string {
  return typeof value === "string" && TELLING_LINE.test(value.slice(0, MAX_LINE).replace("\uFEFF", ""));
}

/** A line that is folded within a character of UTF-8, whose bytes are read as Latin-1. */
const FOLDED_CHARACTER = /[\xC0-\xFF][\x80-\xBF]*(?:(?:\r{0,2}\n|\r)[ \t][\x80-\xBF]+)+/g;
const FOLDS = /[\r\n]+[ \t]/g;

/**
 * Decodes the bytes of a text. A fold within a character is moved behind it, so that the lines keep their numbers.
 * @throws ValueError `icalLong`
 */
export function decoded(bytes: Uint8Array): string {
  if (bytes.length > MAX_TEXT) throw new ValueError("input.hours.icalLong", "", { most: MAX_TEXT });
  const whole = (folded: string) => folded.replaceAll(FOLDS, "") + (folded.match(FOLDS) ?? []).join("");
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(FOLDED_CHARACTER, whole), "latin1").toString();
}

/**
 * Unfolds an iCalendar text.
 * @throws ValueError `icalLong`
 */
export function* contentLines(text: string): Generator<ContentLine, void> {
  if (text.length > MAX_TEXT) throw new ValueError("input.hours.icalLong", "", { most: MAX_TEXT });
  const rows = text.split(/\r{0,2}\n|\r/);
  for (let row = 0; row < rows.length; ) {
    const number = row + 1;
    const parts = [rows[row] ?? ""];
    for (row += 1; /^[ \t]/.test(rows[row] ?? ""); row += 1) parts.push((rows[row] ?? "").slice(1));
    const line = parts.join("").replace(/^\uFEFF/, "");
    if (/\S/.test(line)) yield { number, name: nameOf(line), text: line };
  }
}

/**
 * The property of a line; none if it has no value.
 * @throws ValueError `icalLine`, also for a line that would take long to read
 */
export function readProperty({ number, name, text }: ContentLine): Property[] {
  const [, parameters, value] = (text.length <= MAX_LINE && READABLE.exec(text)) || [];
  if (parameters === undefined || value === undefined) throw unreadable(number, name);
  return value.trim() === "" ? [] : [{ name, line: number, parameters, value: value.trim() }];
}

export function unreadable(line: number, value: string): ValueError {
  return new ValueError("input.hours.icalLine", "", { line, value });
}

function nameOf(line: string): string {
  return /^([A-Za-z0-9-]{1,100})[;:]/.exec(line)?.[1]?.toUpperCase() ?? "";
}
