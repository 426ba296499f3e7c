import type catalogue from "../../locales/en-US/telephony.json";

/** Key below `errors.input.hours` in the catalogue, so every problem has a sentence. */
export type HoursProblem = keyof (typeof catalogue)["errors"]["input"]["hours"];

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
