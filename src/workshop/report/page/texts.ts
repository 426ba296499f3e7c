import { chooseLanguage, currentLanguage, dataIn, translate, type Values } from "../../../sandbox/page/language";
import type { Texts } from "../../../texts";
import type { PageData } from "../html";

export type Key = keyof Texts["rehearsalPage"];

export const data = dataIn("data") as PageData;
export const t: (key: Key, values?: Values) => string = translate;
let formats = formatsOf(currentLanguage());

export function choose(chosen: string): void {
  chooseLanguage(chosen);
  formats = formatsOf(chosen);
}

/** The name of a language in itself. */
export function nameOf(tag: string): string {
  return new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag;
}

/** Instants are shown as the tenant's clock has them, wherever the page is read. */
type Format = keyof ReturnType<typeof formatsOf>;

/** @param at ISO 8601 with the offset of the tenant's zone */
export function shown(at: string, format: Format): string {
  return formats[format].format(new Date(`${at.slice(0, 19)}Z`));
}

export function count(value: number): string {
  return value.toLocaleString(currentLanguage());
}

function formatsOf(tag: string) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC", hourCycle: "h23" });
  const minute = { hour: "2-digit", minute: "2-digit" } as const;
  const day = { weekday: "short", day: "numeric", month: "short" } as const;
  return {
    day: format(day),
    minute: format({ ...day, ...minute }),
    second: format({ ...day, ...minute, second: "2-digit" }),
    year: format({ ...day, ...minute, year: "numeric" }),
  };
}
