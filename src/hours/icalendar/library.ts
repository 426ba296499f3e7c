/** A property in jCal (RFC 7265): name, parameters, type, values. */
export type JcalProperty = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]];

/** A length of time as a text gives it. All parts are positive or zero. */
interface LibraryDuration {
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly isNegative: boolean;
}

/** The part of ical.js that is used. Its own declarations are only for ES modules. */
interface Library {
  readonly parse: { property(line: string): JcalProperty };
  readonly Duration: { fromString(text: string): LibraryDuration };
}

/** Loaded with the first iCalendar text, because most gates never meet one. */
export function library(): Library {
  const loaded = require("ical.js") as Library & { readonly default?: Library };
  return loaded.default ?? loaded;
}
