import { html, type TemplateResult } from "lit-html";
import type catalogue from "../../../locales/en-US/telephony.json";
import type { Party } from "../service/calls";

export type Key = keyof (typeof catalogue)["sandboxPage"];
type Texts = Readonly<Record<Key, string>>;

const DEFAULT_LANGUAGE = "en";
const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}") as Readonly<Record<string, Texts>>;
const requested = new URLSearchParams(location.search).get("lang");

/** Two letters: the language in the page's address, or else the first supported one of the browser's. */
export const language =
  [...(requested ? [requested] : []), ...navigator.languages]
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => tag in texts) ?? DEFAULT_LANGUAGE;

/** A text in the language of the page, with its placeholders filled. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  const text = texts[language]?.[key] ?? key;
  return text.replaceAll(/__(\w+?)__/g, (gap, name: string) => String(values[name] ?? gap));
}

// Created once: a new format for each time would make scrolling slow.
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

/** @param at ISO 8601 */
export function time(at: string): TemplateResult {
  const date = new Date(at);
  return html`<time class="soft" datetime=${at} title=${dateAndTime.format(date)}>${timeOfDay.format(date)}</time>`;
}

/** "Ada (number 0123)" */
export function party({ type, number = "", alias }: Party = {}, isHotline = false): string {
  const names: Record<string, string> = {
    queue: t("queue", { number }),
    external: t("number", { number }),
    internal: t(isHotline ? "hotline" : "user", { number }),
  };
  const name = names[type ?? ""] ?? number;
  return alias ? `${alias} (${name})` : name;
}
