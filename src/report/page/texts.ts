import type catalogue from "../../../locales/en-US/telephony.json";
import { filled, preferredLanguage } from "../../sandbox/page/language";
import type { PageData } from "../html";

export type Key = keyof (typeof catalogue)["rehearsalPage"];
type Texts = Readonly<Record<Key, string>>;

const texts = dataIn("texts") as Readonly<Record<string, Texts>>;
export const data = dataIn("data") as PageData;
/** Two letters each. */
export const languages = Object.keys(texts);

let language = preferredLanguage(languages);
let formats = formatsOf(language);

function dataIn(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? "{}");
}

export function currentLanguage(): string {
  return language;
}

export function choose(chosen: string): void {
  language = chosen;
  formats = formatsOf(chosen);
}

export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(texts[language]?.[key] ?? key, values);
}

/** The name of a language in itself. */
export function nameOf(tag: string): string {
  return new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag;
}

/** Instants are shown as the tenant's clock has them, wherever the page is read. */
export type Format = keyof ReturnType<typeof formatsOf>;

/** @param at ISO 8601 with the offset of the tenant's zone */
export function shown(at: string, format: Format): string {
  return formats[format].format(new Date(`${at.slice(0, 19)}Z`));
}

export function count(value: number): string {
  return value.toLocaleString(language);
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
