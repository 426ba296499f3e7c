import { html, type TemplateResult } from "lit-html";
import type { Texts } from "../../texts";
import type { Party } from "../service/calls";
import { currentLanguage, translate, type Values } from "./language";

export type Key = keyof Texts["sandboxPage"];

export const language = currentLanguage();
export const t: (key: Key, values?: Values) => string = translate;

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
