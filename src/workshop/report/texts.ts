import { wallOf } from "../../hours/dates";
import { pageTexts } from "../../texts/catalogue";
import { type Key, TEXTS } from "../rehearsal/make-report";

export type { Key };

/** The languages in which there is a report, by their two letters. */
export const LANGUAGES: readonly string[] = Object.keys(TEXTS);

type Format = "day" | "minute" | "second" | "clock" | "year";

/** The texts, numbers and times of a report in its language. */
export class ReportTexts {
  readonly language: string;
  readonly text: ReturnType<typeof pageTexts<Key>>["text"];
  readonly #formats: Readonly<Record<Format, Intl.DateTimeFormat>>;

  /** @param language a tag such as `de` or `zh-CN`; English if there are no texts in it */
  constructor(language: string) {
    ({ language: this.language, text: this.text } = pageTexts(TEXTS, [language]));
    // Instants are shown as the tenant's clock has them, wherever the page is read.
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(this.language, { ...options, timeZone: "UTC", hourCycle: "h23" });
    const day = { weekday: "short", day: "numeric", month: "short" } as const;
    const clock = { hour: "2-digit", minute: "2-digit" } as const;
    const minute = { ...day, ...clock } as const;
    this.#formats = {
      day: format(day),
      minute: format(minute),
      second: format({ ...minute, second: "2-digit" }),
      clock: format({ ...clock, second: "2-digit" }),
      year: format({ ...minute, year: "numeric" }),
    };
  }

  count(value: number): string {
    return value.toLocaleString(this.language, { maximumFractionDigits: 1 });
  }

  /** @param at ISO 8601 with the offset of the tenant's zone */
  time(at: string, format: Format): string {
    return this.#formats[format].format(new Date(wallOf(at)));
  }
}
