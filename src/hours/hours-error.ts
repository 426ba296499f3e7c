/** Every problem of a schedule, an exception, a zone or an instant. Each has a sentence in the catalogue. */
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
 * A value cannot be read. `key` names the sentence of the catalogue and `params` fill its gaps. `path` is the place inside
 * the value: `[2].open`, `days[0].day`, `[0].hours[1].close`, or `""` for the value itself.
 * `params` contain the refused value unchanged. Shorten it and mask phone numbers before you show it.
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
