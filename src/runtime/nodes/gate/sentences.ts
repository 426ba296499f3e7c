import { readFileSync } from "node:fs";
import { join } from "node:path";
import type catalogue from "../../../../locales/en-US/telephony.json";
import { type Announced, type Announcement, announcement } from "../../../hours";
import type { Language } from "./settings";

type Templates = (typeof catalogue)["sentence"];

/** The folders of the catalogues, as they are shipped (src/build/catalogue.ts). */
const FOLDERS = { en: "en-US", vi: "vi", de: "de", ja: "ja", zh: "zh" } as const;

/** Node-RED itself has only the texts of the server's language. */
function templatesOf(folder: string): Templates {
  const path = join(__dirname, "../../../../nodes/locales", folder, "index.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly sentence: Templates }).sentence;
}

/** Makes the sentence about a verdict. The last one is kept: most messages ask about the same verdict. */
export type Speaker = (verdict: Announced, checkedAt: string) => string;

/**
 * Speaks one language.
 * @param language of the node; `""` for the server's
 * @param ofServer the server's, as its catalogue names it, e.g. `zh-CN`. English replaces one that has no catalogue.
 */
export function speaker(language: Language, ofServer: string): Speaker {
  const chosen = language || ofServer.slice(0, 2);
  const known = isKnown(chosen) ? chosen : "en";
  const templates = templatesOf(FOLDERS[known]);
  const dates = new Intl.DateTimeFormat(known, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
  let last: { readonly of: Announced; readonly date: string; readonly sentence: string } | undefined;
  return (verdict, checkedAt) => {
    if (last && isSame(last.of, verdict) && checkedAt.startsWith(last.date)) return last.sentence;
    const sentence = sentenceOf(announcement(verdict, checkedAt), templates, dates);
    last = { of: verdict, date: checkedAt.slice(0, 10), sentence };
    return sentence;
  };
}

function isKnown(language: string): language is keyof typeof FOLDERS {
  return Object.hasOwn(FOLDERS, language);
}

function isSame(a: Announced, b: Announced): boolean {
  const isSameState = a.open === b.open && a.exception === b.exception && a.hasSpecialHours === b.hasSpecialHours;
  return isSameState && a.closesAt === b.closesAt && a.opensAt === b.opensAt;
}

const SUFFIXES = { today: "Today", midnight: "Midnight", other: "Until" } as const;

/** The template of an announcement. After the special hours of a date, nobody is closed for the exception. */
function templateOf({ open, day, name, hasSpecialHours }: Announcement, { plain, named }: Templates): string {
  const texts: Readonly<Record<string, string>> = name === null ? plain : named;
  const state = open ? "open" : name !== null && hasSpecialHours && day !== "today" ? "over" : "closed";
  return texts[state + (day === null ? "" : SUFFIXES[day])] ?? "";
}

function sentenceOf(announced: Announcement, texts: Templates, dates: Intl.DateTimeFormat): string {
  const { wall, name } = announced;
  const template = templateOf(announced, texts);
  const clock = new Date(wall);
  const time = `${clock.getUTCHours()}:${String(clock.getUTCMinutes()).padStart(2, "0")}`;
  const parts = Object.fromEntries(dates.formatToParts(clock).map(({ type, value }) => [type, value]));
  return filled(template, { name: name ?? "", time, date: filled(texts.date, parts) });
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/__(\w+?)__/g, (_, name: string) => values[name] ?? "");
}
