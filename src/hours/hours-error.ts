/** Everything that can be wrong with a schedule, an exception, a zone or an instant; each has a sentence in the catalogue. */
export type HoursProblem =
  | "dateAndRange"
  | "dateFormat"
  | "dateMissing"
  | "dateUnreal"
  | "dayEntry"
  | "dayMissing"
  | "dayUnknown"
  | "daysMissing"
  | "enabledFormat"
  | "exceptionEntry"
  | "hoursEntry"
  | "instantFormat"
  | "instantInvalid"
  | "instantOffset"
  | "instantRange"
  | "json"
  | "listExpected"
  | "listLong"
  | "rangeForms"
  | "rangeHalf"
  | "rangeReversed"
  | "scheduleExpected"
  | "textLong"
  | "timeEnd"
  | "timeFormat"
  | "timeMissing"
  | "timeSeconds"
  | "unreadable"
  | "zoneUnknown";

/**
 * Something given cannot be read. `key` names the sentence for the person who gave it, `params` fill that sentence,
 * `path` says where inside the value it is: `[2].open`, `days[0].day`, `[0].hours[1].close`, or `""` for the value itself.
 * A refused value is in `params` as it was given: whoever shows it shortens it, and masks what may be a phone number.
 */
export class HoursError extends Error {
  override readonly name = "HoursError";

  constructor(
    readonly key: HoursProblem,
    readonly path: string,
    readonly params: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${key}${path && ` at ${path}`}`);
  }
}
