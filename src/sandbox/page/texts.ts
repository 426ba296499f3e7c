import { html, type TemplateResult } from "lit-html";
import type { Texts } from "../../texts";
import { pageTexts } from "../../texts/catalogue";
import type { Party } from "../service/calls";

export type Key = keyof (Texts["sandboxPage"] & Texts["pattern"]);

const texts = JSON.parse(document.getElementById("texts")?.textContent ?? "{}") as Record<string, Record<Key, string>>;
const requested = new URLSearchParams(location.search).get("lang") ?? [];

/** The language in the page's address, or else the first of the browser's that there is. */
export const { language, text: t } = pageTexts(texts, [requested, ...navigator.languages].flat());

// Created once: a new format for each time would make scrolling slow.
const timeOfDay = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
const dateAndTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" });

/** @param at ISO 8601 */
export function time(at: string): TemplateResult {
  const date = new Date(at);
  return html`<time class="soft" datetime=${at} title=${dateAndTime.format(date)}>${timeOfDay.format(date)}</time>`;
}

/** Names a party: "Ada (number 0123)". */
export function party({ type, number = "", alias }: Party = {}, isHotline = false): string {
  const names: Record<string, string> = {
    queue: t("queue", { number }),
    external: t("number", { number }),
    internal: t(isHotline ? "hotline" : "user", { number }),
  };
  const name = names[type ?? ""] ?? number;
  return alias ? t("aside", { text: alias, aside: name }) : name;
}
